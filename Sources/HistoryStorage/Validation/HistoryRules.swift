/// The values that the history accepts, with errors for people. The database's constraints enforce the same
/// rules; docs/research/data-model-sources.md explains them.
package enum HistoryRules {
  /// Length of an exercise's, a split's or a person's name, in characters (Unicode scalars).
  package static let name = 1...100
  /// Length of a description, an intro, a setup or a set's notes, in characters.
  package static let description = 0...500
  package static let weight = 0.0...2000
  /// Maximum size of a stored value, in bytes: days of samples.
  package static let longestValue: Int32 = 1 << 28
  package static let height = 0.3...3
  package static let bodyWeight = 1.0...700
  /// Period of inactivity after which a person is logged out, in seconds.
  package static let inactivityTimeout = 7 * 86_400.0
}

extension HistoryRules {
  package static func isName(_ text: String) -> Bool {
    (try? self.text(text, .userName, name)) != nil
  }

  /// Returns the text without surrounding white space.
  package static func text(
    _ text: String, _ field: RuleViolation.Field, _ length: ClosedRange<Int>
  ) throws(RuleViolation) -> String {
    let trimmed = text.trimmed
    let count = trimmed.unicodeScalars.count
    if count == 0, length.lowerBound > 0 { throw .missing(field) }
    guard length.contains(count) else { throw .length(field, length, found: count) }
    // NUL ends a text in C, and so in many programs that read databases.
    guard !trimmed.unicodeScalars.contains("\0") else { throw .notText(field) }
    return trimmed
  }

  package static func key<Record>(
    _ key: RecordKey<Record>, _ field: RuleViolation.Field, _ length: ClosedRange<Int> = 1...200
  ) throws(RuleViolation) -> RecordKey<Record> {
    RecordKey(rawValue: try text(key.rawValue, field, length))
  }

  package static func optionalText(
    _ text: String?, _ field: RuleViolation.Field, _ length: ClosedRange<Int>
  ) throws(RuleViolation) -> String? {
    guard let text, !text.trimmed.isEmpty else { return nil }
    return try self.text(text, field, length)
  }

  package static func check<N>(
    _ value: N?, _ field: RuleViolation.Field, _ range: ClosedRange<N>
  ) throws(RuleViolation) {
    // NaN is in no range.
    guard let value, !range.contains(value) else { return }
    throw .range(field, range, found: value)
  }

  package static func check(date: Date?, _ field: RuleViolation.Field) throws(RuleViolation) {
    try check(date: date?.timeIntervalSince1970, field)
  }

  package static func check(date: Double?, _ field: RuleViolation.Field) throws(RuleViolation) {
    guard let date else { return }
    guard date.isFinite, abs(date) < 1e11 else { throw .notADate(field) }
  }
}

extension String {
  package var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
