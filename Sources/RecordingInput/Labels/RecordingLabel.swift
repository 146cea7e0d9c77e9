import Motion
import TextFormats

/// What is known of a recording beside its samples: what was done, by whom, when, with what.
package struct RecordingLabel: Sendable, Hashable, Codable {
  /// The exercise's name, or its id in the catalogue.
  package var exercise: String?
  /// The person's name or id.
  package var user: String?
  /// Seconds since 1970 at the first sample, where the recording itself has no date.
  package var date: Double?
  /// Kilograms.
  package var weight: Double?
  /// Which set of its exercise it is, from 1.
  package var set: Int?
  /// The reps that the person noted.
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

  /// This label, with what it leaves open taken from another.
  package func completed(by other: RecordingLabel) -> RecordingLabel {
    RecordingLabel(
      exercise: exercise ?? other.exercise, user: user ?? other.user, date: date ?? other.date,
      weight: weight ?? other.weight, set: set ?? other.set, reps: reps ?? other.reps)
  }

  /// The recording as it goes into a history: with the label's date and exercise where its source
  /// told none.
  package func applied(to recording: Recording) -> Recording {
    var recording = recording
    if recording.unixTimeOfFirstSample == nil, recording.samples.clock != .unix {
      recording.unixTimeOfFirstSample = date
    }
    recording.identity.exerciseId = recording.identity.exerciseId ?? exercise
    return recording
  }
}

/// The labels of all recordings of a run: those of a table, what their names say, and what holds for
/// all. Where several know something, the first of these counts.
package struct RecordingLabels: Sendable {
  /// By the recording's file name without extension.
  package var table: [String: RecordingLabel] = [:]
  package var pattern: NamePattern?
  package var common = RecordingLabel()

  package init() {}

  package var isEmpty: Bool { table.isEmpty && pattern == nil && common.isEmpty }

  package func label(ofRecording name: String) -> RecordingLabel {
    let stem = Self.stem(of: name)
    let own = table[stem] ?? RecordingLabel()
    return own.completed(by: pattern?.label(of: stem) ?? RecordingLabel()).completed(by: common)
  }

  /// The labels with the pattern's dates read as all names together allow.
  package func resolved(for names: [String]) -> RecordingLabels {
    var labels = self
    labels.pattern = pattern?.resolved(for: names.map(Self.stem))
    return labels
  }

  /// The last part of a path without the endings of files.
  package static func stem(of name: String) -> String {
    var stem = name.split(separator: "/").last.map(String.init) ?? name
    for ending in [".gz", ".zip", ".csv", ".json", ".ndjson", ".jsonl", ".bin"]
    where stem.lowercased().hasSuffix(ending) {
      stem.removeLast(ending.count)
    }
    return stem
  }

  /// Reads a table of labels: CSV with a header that has `recording`, and any of `exercise` (or
  /// `activity`), `user`, `date`, `weight`, `set` and `reps`. Of several rows for one recording the
  /// first counts.
  ///
  /// - Throws: ``LabelError``.
  package static func table(csv text: String) throws(LabelError) -> [String: RecordingLabel] {
    let rows = DelimitedText.rows(of: text, delimiter: DelimitedText.delimiter(of: text))
    guard let header = rows.first?.fields, header.contains("recording") else {
      throw LabelError(line: 1, message: "expected a header with the column recording")
    }
    var table: [String: RecordingLabel] = [:]
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
        guard let value = Double(text), value.isFinite else {
          throw LabelError(
            line: row.line, message: "expected a number in \(name), found \"\(text)\"")
        }
        return value
      }
      guard let recording = columns["recording"] else {
        throw LabelError(line: row.line, message: "expected a recording's name")
      }
      var label = RecordingLabel(
        exercise: columns["exercise"] ?? columns["activity"], user: columns["user"],
        weight: try number("weight"), set: try number("set").flatMap { Int(exactly: $0) },
        reps: try number("reps").flatMap { Int(exactly: $0) })
      if let date = columns["date"] {
        guard let format = LabelDate.formats(of: date).first else {
          throw LabelError(line: row.line, message: "expected a date, found \"\(date)\"")
        }
        label.date = LabelDate.unixTime(date, as: format)
      }
      let stem = stem(of: recording)
      table[stem] = table[stem] ?? label
    }
    return table
  }
}
