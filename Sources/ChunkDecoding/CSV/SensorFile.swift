/// The sensors for which recording apps write separate files, by file name.
package enum SensorFile: String, Sendable, Hashable, CaseIterable {
  /// Sensor Logger: all sensors of the watch.
  case wristMotion = "wristmotion"
  /// Sensor Logger: gravity removed. MetaMotion: gravity included.
  case accelerometer
  case totalAcceleration = "totalacceleration"
  case gyroscope
  case gravity
  case orientation
  case magnetometer

  /// Returns the sensor of a file named like `WristMotion.csv`, `a.Gyroscopes.csv` or
  /// `NAME_Accelerometer_12.500Hz_1.4.4.csv`, or in a folder named like `Gyroscope`; nil if neither names
  /// one.
  ///
  /// - Parameter path: The file's name, with its folder if that may name the sensor.
  package static func sensor(ofFileNamed path: String) -> SensorFile? {
    SensorFileName(path: path)?.sensor
  }

  /// Returns the sensor of a word in any case, singular or plural, or abbreviated as usual.
  static func sensor(named word: String) -> SensorFile? {
    let word = word.lowercased()
    return names[word] ?? (word.hasSuffix("s") ? names[String(word.dropLast())] : nil)
  }

  private static let names: [String: SensorFile] = {
    var names: [String: SensorFile] = [
      "acc": .accelerometer, "accel": .accelerometer, "gyro": .gyroscope, "gyr": .gyroscope,
      "mag": .magnetometer, "gravities": .gravity,
    ]
    for sensor in allCases { names[sensor.rawValue] = sensor }
    return names
  }()
}

/// The parsed name of a file for one sensor of a recording.
///
/// Names are split into words at all characters other than letters and digits, between a small and a capital
/// letter, and between letters and digits. The last word that names a sensor is the sensor. The other words
/// are common to the files of a recording.
package struct SensorFileName: Sendable, Hashable {
  package let sensor: SensorFile
  /// Equal for the files of a recording: the folder, and the words around the sensor except its rate.
  package let group: String
  /// ``group`` without digits: equal even if each file name contains its own time of writing.
  package let family: String
  /// The name of the recording merged from the group's files: the folder, or the path without the sensor.
  package let recordingName: String

  /// Returns nil if neither the file's name nor its folder's names a sensor.
  package init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last else { return nil }
    let folder = parts.dropLast().joined(separator: "/")
    let stem = name.lastIndex(of: ".").map { $0 > name.startIndex ? name[..<$0] : name } ?? name
    if let split = Self.split(stem) {
      let label = split.before.isEmpty ? split.after : split.before
      self.init(
        sensor: split.sensor, folder: folder, words: split.words,
        recordingName: label.isEmpty
          ? (folder.isEmpty ? "." : folder) : (folder.isEmpty ? "" : folder + "/") + label)
      return
    }
    // In a folder per sensor, the files of a recording have equal names.
    guard parts.count > 1, let split = Self.split(parts[parts.count - 2]), split.words.isEmpty
    else { return nil }
    let above = parts.dropLast(2).joined(separator: "/")
    self.init(
      sensor: split.sensor, folder: above, words: [stem.lowercased()],
      recordingName: (above.isEmpty ? "" : above + "/") + stem)
  }

  private init(sensor: SensorFile, folder: String, words: [String], recordingName: String) {
    self.sensor = sensor
    group = folder + "/" + words.joined(separator: " ")
    family =
      folder + "/"
      + words.map { $0.filter { !$0.isNumber } }.filter { !$0.isEmpty }.joined(separator: " ")
    self.recordingName = recordingName
  }

  private struct Split {
    var sensor: SensorFile
    /// The text before and after the sensor, without the separators next to it.
    var before: String
    var after: String
    /// The words of both, in lower case.
    var words: [String]
  }

  private static func split(_ stem: Substring) -> Split? {
    let words = self.words(of: stem)
    // Sensor Logger writes raw readings in addition to the calibrated ones.
    guard !words.contains(where: { $0.lowercased().hasPrefix("uncalibrated") }) else { return nil }
    for last in words.indices.reversed() {
      // "Total Acceleration" and "WristMotion" have two words.
      for first in [last - 1, last] where first >= words.startIndex {
        let word = words[first...last].joined()
        guard let sensor = SensorFile.sensor(named: word) else { continue }
        let isSeparator: (Character) -> Bool = { !$0.isLetter && !$0.isNumber }
        let before = String(stem[..<words[first].startIndex].reversed().drop(while: isSeparator))
        let after = stem[words[last].endIndex...].drop(while: isSeparator)
        return Split(
          sensor: sensor, before: String(before.reversed()), after: String(after),
          words: self.words(of: withoutRates(stem[..<words[first].startIndex])[...])
            .map { $0.lowercased() }
            + self.words(of: withoutRates(after)[...]).map { $0.lowercased() })
      }
    }
    return nil
  }

  private static func words(of stem: Substring) -> [Substring] {
    var words: [Substring] = []
    var start = stem.startIndex
    func close(at end: String.Index) {
      if start < end { words.append(stem[start..<end]) }
    }
    var previous: Character?
    for index in stem.indices {
      let character = stem[index]
      if !character.isLetter && !character.isNumber {
        close(at: index)
        start = stem.index(after: index)
      } else if let previous,
        (previous.isLowercase && character.isUppercase)
          || (previous.isNumber && character.isLetter)
          || (previous.isLetter && character.isNumber)
      {
        close(at: index)
        start = index
      }
      previous = character
    }
    close(at: stem.endIndex)
    return words
  }

  /// Removes rates such as `12.500Hz`, which differ between sensors.
  private static func withoutRates(_ text: some StringProtocol) -> String {
    var result = ""
    var rest = Substring(text)
    while let character = rest.first {
      if let end = endOfRate(rest) {
        rest = rest[end...]
      } else {
        result.append(character)
        rest.removeFirst()
      }
    }
    return result
  }

  /// Returns the end of the rate at the start of the text; nil if there is none.
  private static func endOfRate(_ text: Substring) -> String.Index? {
    func afterDigits(_ text: Substring) -> Substring? {
      let rest = text.drop { $0.isNumber }
      return rest.startIndex > text.startIndex ? rest : nil
    }
    guard var rest = afterDigits(text) else { return nil }
    if rest.first == ".", let fraction = afterDigits(rest.dropFirst()) { rest = fraction }
    if rest.first?.isWhitespace == true { rest.removeFirst() }
    return rest.prefix(2).lowercased() == "hz" ? rest.index(rest.startIndex, offsetBy: 2) : nil
  }
}
