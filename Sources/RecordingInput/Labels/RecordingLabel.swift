import Motion
import TextFormats

/// Information about a recording that is not in its samples: exercise, person, date, weight.
package struct RecordingLabel: Sendable, Hashable, Codable {
  /// The exercise's name, or its id in the catalog.
  package var exercise: String?
  /// The person's name or id.
  package var user: String?
  /// Date of the first sample, in seconds since 1970, for recordings without a date of their own.
  package var date: Double?
  /// Weight, in kilograms.
  package var weight: Double?
  /// Number of the set within its exercise, from 1.
  package var set: Int?
  /// Number of reps noted by the person.
  package var reps: Int?

  package init(
    exercise: String? = nil, user: String? = nil, date: Double? = nil, weight: Double? = nil,
    set: Int? = nil, reps: Int? = nil
  ) {
    self.exercise = exercise
    self.user = user
    self.date = date
    self.weight = weight
    self.set = set
    self.reps = reps
  }

  package var isEmpty: Bool { self == RecordingLabel() }

  /// Returns this label with missing fields filled from another.
  package func completed(by other: RecordingLabel) -> RecordingLabel {
    RecordingLabel(
      exercise: exercise ?? other.exercise, user: user ?? other.user, date: date ?? other.date,
      weight: weight ?? other.weight, set: set ?? other.set, reps: reps ?? other.reps)
  }

  /// Returns a recording or part for storage in a history, with the label's date and exercise if it has none.
  ///
  /// - Parameter origin: Time of the whole recording's first sample, in seconds on the samples' clock.
  package func applied(to recording: Recording, origin: Double) -> Recording {
    var recording = recording
    if recording.unixTimeOfFirstSample == nil, recording.samples.clock != .unix {
      let first = recording.samples.firstSeconds ?? origin
      recording.unixTimeOfFirstSample = date.map { $0 + (first - origin) }
    }
    recording.identity.exerciseId = recording.identity.exerciseId ?? exercise
    return recording
  }
}

/// The labels of all recordings of a run: from a table, from file names, and common ones, in order of
/// precedence.
package struct RecordingLabels: Sendable {
  /// Labels by one of ``names(ofRecording:)``.
  package var table: [String: RecordingLabel] = [:]
  package var pattern: NamePattern?
  package var common = RecordingLabel()
  /// Returns the catalog's spelling of an exercise name.
  package var spelling: @Sendable (_ exercise: String) -> String = { $0 }

  package init() {}

  package var isEmpty: Bool { table.isEmpty && pattern == nil && common.isEmpty }

  package func label(ofRecording name: String) -> RecordingLabel {
    let names = Self.names(ofRecording: name)
    let own = names.lazy.compactMap { table[$0] }.first ?? RecordingLabel()
    let told =
      Self.readings(of: name).lazy.compactMap { pattern?.label(of: $0) }.first ?? RecordingLabel()
    var label = own.completed(by: told).completed(by: common)
    label.exercise = label.exercise.map(spelling)
    return label
  }

  /// Returns the labels with the only date format of the pattern that matches all names.
  ///
  /// - Throws: ``NamePattern/Failure`` if no name matches the pattern, or its dates are ambiguous.
  package func resolved(for names: [String]) throws(NamePattern.Failure) -> RecordingLabels {
    guard let pattern else { return self }
    let readings = names.flatMap(Self.readings)
    guard names.isEmpty || readings.contains(where: pattern.fits) else {
      throw NamePattern.Failure(description: "no name fits; the first is \"\(readings[0])\"")
    }
    var labels = self
    labels.pattern = try pattern.resolved(for: readings)
    return labels
  }

  /// Returns whether there is a pattern and the recording's name does not match it.
  package func isMisnamed(_ recording: String) -> Bool {
    pattern.map { pattern in !Self.readings(of: recording).contains(where: pattern.fits) } ?? false
  }

  /// Returns the names by which labels may refer to a recording: the last component of its path (a file or
  /// folder), also without `.gz` or `.zip`, and without any extension.
  package static func names(ofRecording path: String) -> [String] {
    var names = [lastPart(of: path)]
    if let packed = without(archives, names[0]) { names.append(packed) }
    if let stem = names.last.flatMap({ without(nil, $0) }) { names.append(stem) }
    return names
  }

  /// Returns the last path component without extensions of recording files: `x` for `a/x.csv.gz`. Other dots
  /// are part of the name, as in `push.ups` and `W12.5`, which may be folders.
  package static func stem(of path: String) -> String {
    let name = lastPart(of: path)
    let unpacked = without(archives, name) ?? name
    return without(formats, unpacked) ?? unpacked
  }

  /// Returns the texts to match against a pattern: the stem, and the stem without an unknown extension.
  private static func readings(of path: String) -> [String] {
    let stem = stem(of: path)
    guard let shorter = without(nil, stem),
      stem.dropFirst(shorter.count + 1).first?.isLetter == true
    else { return [stem] }
    return [stem, shorter]
  }

  private static let archives: Set = ["gz", "zip"]
  private static let formats: Set = [
    "csv", "tsv", "txt", "dat", "json", "ndjson", "jsonl", "bin", "frames",
  ]

  private static func lastPart(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns a name without its extension, if that is in `endings` or `endings` is nil; otherwise nil.
  private static func without(_ endings: Set<String>?, _ name: String) -> String? {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      endings?.contains(name[name.index(after: dot)...].lowercased()) ?? true
    else { return nil }
    return String(name[..<dot])
  }

  /// Parses a table of labels: CSV with a header that has `recording`, and any of `exercise` (or `activity`),
  /// `user`, `date`, `weight`, `set` and `reps`. If a recording has several rows, the first one is used.
  ///
  /// - Throws: ``LabelError``.
  package static func table(csv text: String) throws(LabelError) -> [String: RecordingLabel] {
    let rows = DelimitedText.rows(of: text, delimiter: DelimitedText.delimiter(of: text))
    guard let header = rows.first?.fields, header.contains("recording") else {
      throw LabelError(line: 1, message: "expected a header with the column recording")
    }
    var table: [String: RecordingLabel] = [:]
    // All dates have the same format, so determine it after reading them all.
    var dates: [(name: String, line: Int, text: String)] = []
    for row in rows.dropFirst() {
      guard row.fields.count == header.count else {
        throw LabelError(
          line: row.line,
          message: "expected \(header.count) fields as in the header, found \(row.fields.count)")
      }
      let columns = Dictionary(
        zip(header, row.fields).filter { !$1.isEmpty }, uniquingKeysWith: { first, _ in first })
      func number(_ name: String) throws(LabelError) -> Double? {
        guard let text = columns[name] else { return nil }
        guard let value = DelimitedText.number(text), value.isFinite else {
          throw LabelError(
            line: row.line, message: "expected a number in \(name), found \"\(text)\"")
        }
        return value
      }
      guard let recording = columns["recording"] else {
        throw LabelError(line: row.line, message: "expected a recording's name")
      }
      let label = RecordingLabel(
        exercise: columns["exercise"] ?? columns["activity"], user: columns["user"],
        weight: try number("weight"), set: try number("set").flatMap { Int(exactly: $0) },
        reps: try number("reps").flatMap { Int(exactly: $0) })
      let name = names(ofRecording: recording)[0]
      guard table[name] == nil else { continue }
      table[name] = label
      if let date = columns["date"] { dates.append((name, row.line, date)) }
    }
    guard let first = dates.first else { return table }
    let formats = LabelDate.formats(ofAll: dates.map { $0.text }, now: .infinity)
    guard formats.count == 1 else {
      let wrong = dates.first { LabelDate.formats(of: $0.text).isEmpty }
      throw LabelError(
        line: (wrong ?? first).line,
        message: "expected a date such as 2026-11-22, found \"\((wrong ?? first).text)\"")
    }
    for (name, _, text) in dates { table[name]?.date = LabelDate.unixTime(text, as: formats[0]) }
    return table
  }
}
