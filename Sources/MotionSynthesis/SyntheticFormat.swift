/// Input formats in which synthetic recordings can be written.
package enum SyntheticFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// CSV with the recording app's column names; every Double reads back exactly.
  case csv
  /// Sensor Logger's merged CSV with a quaternion; the clock is `timestamp`, from 0.
  case sensorLogger = "sensor-logger"
  /// Sensor Logger's `WristMotion.csv`: nanoseconds since 1970, quaternion.
  case wristMotion = "wrist-motion"
  /// Sensor Logger's folder with one file per sensor, each with its own clock and rate: `z,y,x` in m/s² and rad/s.
  case sensorFolder = "sensor-folder"
  /// SensorLog's wide CSV.
  case sensorLog = "sensorlog"
  /// MetaMotion's pair of files: accelerometer at 12.5 Hz, gyroscope at 25 Hz.
  case metaMotion = "metamotion"
  /// CSV without a header, with a `columns.json`: milliseconds since 1970, total acceleration in m/s²
  /// pointing up at rest, rad/s.
  case headerless
  /// Chunk objects with flat samples, one file each.
  case chunks
  /// Chunk objects with nested samples, one file each.
  case nestedChunks = "nested-chunks"
  /// Output of the published watch app: arrays with `.metadata.json` sidecars; the order of keys varies.
  case watchApp = "watch-app"
  /// One object per line: control messages, flat chunks and heart rate, in order of arrival.
  case ndjson

  /// True if the format has ids and phases, which declare its sets.
  package var declaresSets: Bool {
    switch self {
    case .chunks, .nestedChunks, .watchApp, .ndjson: true
    default: false
    }
  }
}
