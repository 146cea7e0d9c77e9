import Motion

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the history accepts. The database's constraints say the same; here a person is told.
///
/// Where the apps that the data model comes from disagree, docs/research/data-model-sources.md
/// says who prevailed.
package enum HistoryRules {
  /// Characters (Unicode scalars) of an exercise's, a split's or a person's name.
  package static let name = 1...100
  /// Characters of a plan's own title.
  package static let planTitle = 3...100
  package static let titlePrefix = 1...50
  /// Characters of a description, an intro, a setup or a set's notes.
  package static let description = 0...500
  /// Sets of an exercise in a plan.
  package static let sets = 1...99
  /// Reps a set in a plan.
  package static let reps = 1...999
  /// Seconds between the sets of an exercise in a plan.
  package static let restTime = 0...600
  /// Seconds of an exercise that is done by time.
  package static let duration = 1...3600
  /// Seconds of a break between exercises.
  package static let breakDuration = 1...600
  /// Kilograms.
  package static let weight = 0.0...2000
  /// Reps that a person says were done.
  package static let actualReps = 0...100_000
  /// Reps that a set under way aims at; 0 where as many as go.
  package static let targetReps = 0...999
  /// What an exercise of the catalogue proposes.
  package static let defaultSets = 1...10
  package static let defaultReps = 1...50
  /// Seconds.
  package static let defaultRestTimes = [30, 60, 90, 120, 180]
  /// Metres.
  package static let height = 0.3...3
  /// Kilograms.
  package static let bodyWeight = 1.0...700
  /// Seconds after which a person who has not come back is logged out.
  package static let inactivityTimeout = 7 * 86_400.0
}

extension HistoryRules {
  /// Whether a person may be called so.
  package static func isName(_ text: String) -> Bool {
    (try? self.text(text, .userName, name)) != nil
  }

  /// The text without white space around it.
  static func text(
    _ text: String, _ field: RuleViolation.Field, _ length: ClosedRange<Int>
  ) throws(RuleViolation) -> String {
    let trimmed = text.trimmed
    let count = trimmed.unicodeScalars.count
    if count == 0, length.lowerBound > 0 { throw .missing(field) }
    guard length.contains(count) else { throw .length(field, length, found: count) }
    // A NUL ends a text in C, and so in half of what reads a database.
    guard !trimmed.unicodeScalars.contains("\0") else { throw .notText(field) }
    return trimmed
  }

  /// The key without white space around it.
  static func key<Record>(
    _ key: RecordKey<Record>, _ field: RuleViolation.Field, _ length: ClosedRange<Int> = 1...200
  ) throws(RuleViolation) -> RecordKey<Record> {
    RecordKey(rawValue: try text(key.rawValue, field, length))
  }

  static func optionalText(
    _ text: String?, _ field: RuleViolation.Field, _ length: ClosedRange<Int>
  ) throws(RuleViolation) -> String? {
    guard let text, !text.trimmed.isEmpty else { return nil }
    return try self.text(text, field, length)
  }

  static func check(
    _ value: Int?, _ field: RuleViolation.Field, _ range: ClosedRange<Int>
  ) throws(RuleViolation) {
    guard let value else { return }
    guard range.contains(value) else { throw .range(field, range, found: value) }
  }

  static func check(
    _ value: Double?, _ field: RuleViolation.Field, _ range: ClosedRange<Double>
  ) throws(RuleViolation) {
    guard let value else { return }
    // False for NaN, too.
    guard range.contains(value) else { throw .quantity(field, range, found: "\(value)") }
  }

  /// What a person says of a set.
  ///
  /// - Returns: The exercise's id and name as they are kept.
  package static func correction(
    reps: Int?, exercise: String?, exerciseName: String?
  ) throws(RuleViolation) -> (exercise: String?, exerciseName: String?) {
    try check(reps, .actualReps, actualReps)
    return (
      try optionalText(exercise, .exerciseName, 1...256),
      try optionalText(exerciseName, .exerciseName, name)
    )
  }

  static func check(date: Date?, _ field: RuleViolation.Field) throws(RuleViolation) {
    try check(date: date?.timeIntervalSince1970, field)
  }

  /// Dates are seconds since 1970; nil where unknown.
  static func check(date: Double?, _ field: RuleViolation.Field) throws(RuleViolation) {
    guard let date else { return }
    guard date.isFinite, abs(date) < 1e11 else { throw .notADate(field) }
  }

  /// A link to a video: any address on the web; one of YouTube must name a video.
  static func videoURL(_ text: String?) throws(RuleViolation) -> String? {
    guard let text, !text.trimmed.isEmpty else { return nil }
    let url = text.trimmed
    let lower = url.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix),
      url.unicodeScalars.count <= 2000, !url.contains(where: \.isWhitespace)
    else { throw .videoURL(text) }
    let rest = lower.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != ":" }
    guard host.contains("."), !host.hasPrefix("."), !host.hasSuffix(".") else {
      throw .videoURL(text)
    }
    let path = rest.dropFirst(host.count)
    if host == "youtu.be" || host.hasSuffix(".youtu.be") {
      guard path.count > 1 else { throw .videoURL(text) }
    } else if host == "youtube.com" || host.hasSuffix(".youtube.com") {
      guard path.hasPrefix("/watch?"), path.contains("?v=") || path.contains("&v=") else {
        throw .videoURL(text)
      }
    }
    return url
  }
}

extension SetIdentity {
  /// Without ids that hold U+0000: SQLite would cut them there, and make one of two.
  package var storable: SetIdentity {
    func storable(_ id: String?) -> String? { id.flatMap { $0.utf8.contains(0) ? nil : $0 } }
    return SetIdentity(
      sessionId: storable(sessionId), exerciseId: storable(exerciseId), setId: storable(setId))
  }
}

extension String {
  /// Without white space around it.
  var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
