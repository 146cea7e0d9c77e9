/// The input formats that synthetic recordings can be written in.
package enum SyntheticFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// CSV with the recording app's names; every Double reads back exactly.
  case csv
  /// Sensor Logger's merged CSV with quaternion; its clock is `timestamp`, from 0.
  case sensorLogger = "sensor-logger"
  /// Sensor Logger's `WristMotion.csv`: nanoseconds since 1970, quaternion.
  case wristMotion = "wrist-motion"
  /// Sensor Logger's folder with a file for each sensor, each with its own clock and rate: `z,y,x` in
  /// m/s² and rad/s.
  case sensorFolder = "sensor-folder"
  /// SensorLog's wide CSV.
  case sensorLog = "sensorlog"
  /// MetaMotion's pair of files: accelerometer at 12.5 Hz, gyroscope at 25 Hz.
  case metaMotion = "metamotion"
  /// CSV without a header beside a `columns.json`: milliseconds since 1970, acceleration with
  /// gravity in m/s² pointing up at rest, rad/s.
  case headerless
  /// Chunk objects with flat samples, one file each.
  case chunks
  /// Chunk objects with nested samples, one file each.
  case nestedChunks = "nested-chunks"
  /// What the published watch app sends: bare arrays with `.metadata.json` sidecars, keys of each
  /// sample in another order.
  case watchApp = "watch-app"
  /// One object a line: control messages, flat chunks and heart rate, as they arrive.
  case ndjson

  /// Whether the format carries ids and phases, and so declares its sets.
  package var declaresSets: Bool {
    switch self {
    case .chunks, .nestedChunks, .watchApp, .ndjson: true
    default: false
    }
  }
}
