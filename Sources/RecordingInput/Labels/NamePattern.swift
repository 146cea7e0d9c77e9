/// A pattern by which file names describe recordings: `{date}_{exercise}_W{weight}_S{set}_R{reps}`.
///
/// Fields are `{exercise}`, `{user}`, `{date}`, `{weight}`, `{set}`, `{reps}` and `{any}`, which is ignored.
/// A date may state its format: `{date:ddmmyy}`. In a weight, an underscore may be the decimal point
/// (`W12_5`). The text between fields must match, in any case.
package struct NamePattern: Sendable, Hashable {
  enum Field: String, CaseIterable, Sendable { case exercise, user, date, weight, set, reps, any }

  private enum Piece: Sendable, Hashable {
    case text(String)
    case field(Field)
  }

  private let text: String
  private var pieces: [Piece] = []
  /// The format of dates; nil until it is determined.
  private var dateFormat: LabelDate.Format?

  /// The reason why a text is not a valid pattern.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var description: String
  }

  package init(_ text: String) throws(Failure) {
    self.text = text
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { pieces.append(.text(rest[..<open].lowercased())) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw Failure(description: "\"\(text)\" has a { without }")
      }
      let parts = rest[rest.index(after: open)..<close].split(separator: ":", maxSplits: 1)
      guard let name = parts.first, let field = Field(rawValue: String(name)) else {
        let known = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        throw Failure(description: "\"\(text)\" has an unknown field; known are \(known)")
      }
      if parts.count > 1 {
        guard field == .date, let format = LabelDate.Format(rawValue: parts[1].lowercased()) else {
          let known = LabelDate.Format.allCases.map(\.rawValue).joined(separator: ", ")
          throw Failure(description: "a form goes with {date:…} and is one of \(known)")
        }
        dateFormat = format
      }
      if case .field = pieces.last {
        throw Failure(description: "\"\(text)\" has two fields with nothing between them")
      }
      if field != .any, pieces.contains(.field(field)) {
        throw Failure(description: "\"\(text)\" has {\(field.rawValue)} twice")
      }
      pieces.append(.field(field))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.text(rest.lowercased())) }
    guard pieces.contains(where: { if case .field = $0 { true } else { false } }) else {
      throw Failure(description: "\"\(text)\" has no field such as {exercise}")
    }
  }

  /// True if matching names contain the number of reps.
  package var includesReps: Bool { pieces.contains(.field(.reps)) }

  /// Returns the label in a name; nil if the name does not match.
  package func label(of name: String) -> RecordingLabel? {
    guard let fields = fields(of: name) else { return nil }
    var label = RecordingLabel(
      exercise: fields[.exercise], user: fields[.user],
      weight: fields[.weight].flatMap(Self.weight), set: fields[.set].flatMap { Int($0) },
      reps: fields[.reps].flatMap { Int($0) })
    if let date = fields[.date] {
      label.date = dateFormat.flatMap { LabelDate.unixTime(date, as: $0) }
    }
    return label
  }

  /// Returns whether a name matches the pattern.
  package func fits(_ name: String) -> Bool { fields(of: name) != nil }

  /// Returns the pattern with the only date format that matches all names of a run.
  ///
  /// - Throws: ``Failure`` if no format or several formats match.
  func resolved(for names: [String]) throws(Failure) -> NamePattern {
    guard dateFormat == nil, pieces.contains(.field(.date)) else { return self }
    let dates = names.compactMap { fields(of: $0)?[.date] }
    guard let example = dates.first else { return self }
    let formats = LabelDate.formats(ofAll: dates)
    guard formats.count == 1 else {
      let fitting = formats.map { "{date:\($0.rawValue)}" }
      throw Failure(
        description: formats.isEmpty
          ? "no format fits all dates in the names, such as \(example); say which it is, as in "
            + text.replacing("{date}", with: "{date:ddmmyy}")
          : "dates such as \(example) may be \(fitting.joined(separator: " or ")); write one of "
            + "them instead of {date}")
    }
    var pattern = self
    pattern.dateFormat = formats[0]
    return pattern
  }

  private static func weight(_ text: String) -> Double? {
    let value = Double(text.replacing("_", with: ".").replacing(",", with: "."))
    return value.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }

  /// Returns the text of each field; nil if the name does not match.
  private func fields(of name: String) -> [Field: String]? {
    var steps = 0
    return match(pieces[...], name[...], &steps)
  }

  /// Matches each field, from the left, with the shortest text that lets the rest match.
  ///
  /// - Complexity: Bounded by a number of steps, after which the name counts as not matching.
  private func match(
    _ pieces: ArraySlice<Piece>, _ text: Substring, _ steps: inout Int
  ) -> [Field: String]? {
    steps += 1
    guard steps < 100_000 else { return nil }
    guard let piece = pieces.first else { return text.isEmpty ? [:] : nil }
    switch piece {
    case .text(let expected):
      guard text.lowercased().hasPrefix(expected), text.count >= expected.count else { return nil }
      return match(pieces.dropFirst(), text.dropFirst(expected.count), &steps)
    case .field(let field):
      var end = text.startIndex
      while end < text.endIndex {
        end = text.index(after: end)
        let value = text[..<end]
        guard Self.allows(field, value) else { continue }
        if var rest = match(pieces.dropFirst(), text[end...], &steps) {
          rest[field] = String(value)
          return rest
        }
      }
      return nil
    }
  }

  private static func allows(_ field: Field, _ value: Substring) -> Bool {
    switch field {
    case .exercise, .user, .any: true
    case .weight: weight(String(value)) != nil && value.last?.isNumber == true
    case .set, .reps: Int(value) != nil && value.allSatisfy(\.isNumber)
    case .date: !LabelDate.formats(of: String(value)).isEmpty
    }
  }
}
