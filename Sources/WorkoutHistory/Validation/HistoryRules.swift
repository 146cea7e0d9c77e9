import Motion

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The values that the history accepts, with errors for people. The database's constraints enforce equal rules;
/// docs/research/data-model-sources.md states the decisions.
package enum HistoryRules {
  /// Length of an exercise's, a split's or a person's name, in characters (Unicode scalars).
  package static let name = 1...100
  package static let planTitle = 3...100
  package static let titlePrefix = 1...50
  /// Length of a description, an intro, a setup or a set's notes, in characters.
  package static let description = 0...500
  package static let sets = 1...99
  package static let reps = 1...999
  /// Rest between the sets of a planned exercise, in seconds.
  package static let restTime = 0...600
  package static let duration = 1...3600
  package static let breakDuration = 1...600
  package static let weight = 0.0...2000
  package static let actualReps = 0...100_000
  /// Target reps of a set in progress; 0 means as many as possible.
  package static let targetReps = 0...999
  /// Default sets and reps of a catalogue exercise.
  package static let defaultSets = 1...10
  package static let defaultReps = 1...50
  /// Default rests of a catalogue exercise, in seconds.
  package static let defaultRestTimes = [30, 60, 90, 120, 180]
  package static let height = 0.3...3
  package static let bodyWeight = 1.0...700
  /// Time after which a person who has not come back is logged out, in seconds.
  package static let inactivityTimeout = 7 * 86_400.0
}

extension HistoryRules {
  package static func isName(_ text: String) -> Bool {
    (try? self.text(text, .userName, name)) != nil
  }

  /// Returns the text without surrounding white space.
  static func text(
    _ text: String, _ field: RuleViolation.Field, _ length: ClosedRange<Int>
  ) throws(RuleViolation) -> String {
    let trimmed = text.trimmed
    let count = trimmed.unicodeScalars.count
    if count == 0, length.lowerBound > 0 { throw .missing(field) }
    guard length.contains(count) else { throw .length(field, length, found: count) }
    // NUL ends a text in C, and so for many programs that read a database.
    guard !trimmed.unicodeScalars.contains("\0") else { throw .notText(field) }
    return trimmed
  }

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

  static func check<N>(
    _ value: N?, _ field: RuleViolation.Field, _ range: ClosedRange<N>
  ) throws(RuleViolation) {
    // No range contains NaN.
    guard let value, !range.contains(value) else { return }
    throw .range(field, range, found: value)
  }

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

  static func check(date: Double?, _ field: RuleViolation.Field) throws(RuleViolation) {
    guard let date else { return }
    guard date.isFinite, abs(date) < 1e11 else { throw .notADate(field) }
  }

  /// Checks a link to a video: any web address, but a YouTube address must name a video.
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
  /// A copy without ids that contain U+0000: SQLite would truncate them, so that different ids would collide.
  package var storable: SetIdentity {
    func storable(_ id: String?) -> String? { id.flatMap { $0.utf8.contains(0) ? nil : $0 } }
    return SetIdentity(
      sessionId: storable(sessionId), exerciseId: storable(exerciseId), setId: storable(setId))
  }
}

extension String {
  var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
