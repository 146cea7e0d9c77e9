/// The sensors that recording apps write into a file of their own, by the file's name.
public enum SensorFile: String, Sendable, Hashable, CaseIterable {
  /// Sensor Logger: everything of the watch.
  case wristMotion = "wristmotion"
  /// Sensor Logger: gravity removed. MetaMotion: gravity included.
  case accelerometer
  case totalAcceleration = "totalacceleration"
  case gyroscope
  case gravity
  case orientation
  case magnetometer

  /// The sensor of a file named like `WristMotion.csv` or
  /// `NAME_Accelerometer_12.500Hz_1.4.4.csv`; nil if the name tells none.
  public static func sensor(ofFileNamed fileName: String) -> SensorFile? {
    parts(ofFileNamed: fileName)?.sensor
  }

  /// What files of one recording have in common: the name without its sensor, with its folder.
  ///
  /// Files with the same group, each of another sensor, are one recording, to be merged with
  /// ``SensorMerge``. Files without a sensor in their name have none.
  public static func group(ofFileAt path: String) -> (group: String, sensor: SensorFile)? {
    let folderEnd = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let parts = parts(ofFileNamed: String(path[folderEnd...])) else { return nil }
    return (String(path[..<folderEnd]) + parts.prefix, parts.sensor)
  }

  private static func parts(
    ofFileNamed fileName: String
  ) -> (prefix: String, sensor: SensorFile)? {
    let name = fileName.split(separator: "/").last.map(String.init) ?? fileName
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let stem = name[..<dot]
    if let sensor = SensorFile(rawValue: stem.lowercased()) { return ("", sensor) }
    // MetaMotion: prefix, sensor, rate, firmware, joined by underscores.
    let fields = stem.split(separator: "_", omittingEmptySubsequences: false)
    for (index, field) in fields.enumerated().reversed() where index > 0 {
      guard let sensor = SensorFile(rawValue: field.lowercased()) else { continue }
      return (fields[..<index].joined(separator: "_"), sensor)
    }
    return nil
  }
}
