/// The sensors that recording apps write into a file of their own, by the file's name.
package enum SensorFile: String, Sendable, Hashable, CaseIterable {
  /// Sensor Logger: everything of the watch.
  case wristMotion = "wristmotion"
  /// Sensor Logger: gravity removed. MetaMotion: gravity included.
  case accelerometer
  case totalAcceleration = "totalacceleration"
  case gyroscope
  case gravity
  case orientation
  case magnetometer

  /// The sensor of a file named like `WristMotion.csv`, `a.Gyroscopes.csv` or
  /// `NAME_Accelerometer_12.500Hz_1.4.4.csv`, or of any file in a folder named like `Gyroscope`;
  /// nil if neither name tells one.
  ///
  /// - Parameter path: the file's name, with its folder where that may tell.
  package static func sensor(ofFileNamed path: String) -> SensorFile? {
    SensorFileName(path: path)?.sensor
  }

  /// The sensor of a word: any case, singular or plural, and the usual short forms.
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

/// The name of a file that holds one sensor of a recording, taken apart.
///
/// A name is split into words at everything that is no letter or digit, between a small and a
/// capital letter, and between letters and digits. The last word that names a sensor is the sensor.
/// What is left is what the files of one recording have in common.
package struct SensorFileName: Sendable, Hashable {
  package let sensor: SensorFile
  /// Equal for the files of one recording: the folder, and the words around the sensor without
  /// those that tell the sensor's rate.
  package let group: String
  /// As ``group``, without digits: equal also where files carry the time at which each was written.
  package let family: String
  /// The name of a recording that the files of the group are put together to: the folder, or the
  /// path without the sensor.
  package let recordingName: String

  /// nil where neither the file's name nor its folder's names a sensor.
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
    // A folder a sensor: the files of one recording have the same name in each.
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
    /// The text before and behind the sensor, without the separators at its ends.
    var before: String
    var after: String
    /// The words of both, in lower case.
    var words: [String]
  }

  private static func split(_ stem: Substring) -> Split? {
    let words = self.words(of: stem)
    // Sensor Logger writes the raw readings beside the calibrated ones.
    guard !words.contains(where: { $0.lowercased().hasPrefix("uncalibrated") }) else { return nil }
    for last in words.indices.reversed() {
      // "Total Acceleration" and "WristMotion" are two words.
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

  /// A text without rates such as `12.500Hz`, which differ between sensors.
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

  /// The end of a rate that the text begins with; nil if it begins with something else.
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
