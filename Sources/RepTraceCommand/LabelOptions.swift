import ArgumentParser
import Foundation
import RepTrace

/// Options for facts about recordings that their samples do not contain.
struct LabelOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The exercise of all recordings.", valueName: "name"))
  var exercise: String?

  @Option(help: ArgumentHelp("The person in all recordings.", valueName: "name"))
  var user: String?

  @Option(help: ArgumentHelp("The date, for recordings without one.", valueName: "date"))
  var date: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The weight in kilograms.", valueName: "kg"))
  var weight: Double?

  @Option(
    help: ArgumentHelp(
      "These facts for each recording: CSV with recording, exercise, user, date, weight.",
      valueName: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var labels: String?

  @Option(
    help: ArgumentHelp(
      "These facts from file names, such as {date}_{exercise}_W{weight}_S{set}_R{reps}.",
      valueName: "pattern"))
  var namePattern: String?

  func validate() throws {
    try require(weight, in: 0...2000, "--weight is in kilograms, from 0 to 2000")
    _ = try common()
    _ = try Self.pattern(namePattern)
  }

  static func pattern(_ text: String?) throws -> NamePattern? {
    do {
      return try text.map { (text) throws(NamePattern.Failure) in try NamePattern(text) }
    } catch {
      throw ValidationError("--name-pattern: \(error)")
    }
  }

  private func common() throws -> RecordingLabel {
    var label = RecordingLabel(exercise: exercise, user: user, weight: weight)
    if let date { label.date = try Self.date(date, option: "--date").timeIntervalSince1970 }
    return label
  }

  /// Parses the date given to an option.
  static func date(_ text: String, option: String) throws -> Date {
    let formats = LabelDate.formats(ofAll: [text], now: .infinity)
    guard formats.count == 1, let unixTime = LabelDate.unixTime(text, as: formats[0]) else {
      throw ValidationError("\(option) is a date such as 2026-11-22, found \"\(text)\"")
    }
    return Date(timeIntervalSince1970: unixTime)
  }

  func recordingLabels() throws -> RecordingLabels {
    var result = RecordingLabels()
    result.common = try common()
    result.pattern = try Self.pattern(namePattern)
    guard let labels else { return result }
    let text = try NamedFile.text(of: labels)
    result.table = try NamedFile.decoding(labels) { try RecordingLabels.table(csv: text) }
    return result
  }
}
