import RecordingInput
import TextFormats

/// One row of a label file: the ground truth about one set.
package struct LabeledSet: Sendable, Equatable {
  /// The recording's file name, with or without extension. Parent folders may precede it.
  package var recording: String
  package var reps: Int
  /// Counts that the raters considered possible.
  package var repRange: ClosedRange<Int>?
  /// Start and end, in seconds in the recording's own time column; nil for the whole file.
  package var span: ClosedRange<Double>?
  /// The value of `exercise`, or of `activity` if that is empty.
  package var exercise: String?
  /// Start and end of every rep, in seconds in the recording's own time column.
  package var repTimes: [ClosedRange<Double>]?
  /// All columns of the row, by name.
  package var columns: [String: String]
  /// Line number in the file, from 1; 0 if there is no file.
  package var line: Int

  package init(
    recording: String, reps: Int, span: ClosedRange<Double>? = nil, exercise: String? = nil,
    repTimes: [ClosedRange<Double>]? = nil, columns: [String: String] = [:]
  ) {
    self.recording = recording
    self.reps = reps
    self.span = span
    self.exercise = exercise
    self.repTimes = repTimes
    self.columns = columns
    line = 0
  }
}

extension LabeledSet {
  /// Parses a label file: CSV with a header that has at least `recording` and `reps`.
  ///
  /// `rep_times` is `start-end;start-end;…` in seconds.
  ///
  /// - Throws: `LabelError` naming the line and the expected value.
  package static func parse(csv text: String) throws(LabelError) -> [LabeledSet] {
    let rows = DelimitedText.rows(of: text, delimiter: DelimitedText.delimiter(of: text))
    guard let header = rows.first else {
      throw LabelError(line: 1, message: "expected a header with recording and reps, found nothing")
    }
    let names = header.fields
    guard names.contains("recording"), names.contains("reps") else {
      throw LabelError(
        line: header.line, message: "expected a header with the columns recording and reps")
    }
    var result: [LabeledSet] = []
    for row in rows.dropFirst() {
      guard row.fields.count == names.count else {
        throw LabelError(
          line: row.line,
          message: "expected \(names.count) fields as in the header, found \(row.fields.count)")
      }
      let columns = Dictionary(zip(names, row.fields), uniquingKeysWith: { first, _ in first })
      result.append(try LabeledSet(columns: columns, line: row.line))
    }
    return result
  }

  private init(columns: [String: String], line: Int) throws(LabelError) {
    func number(_ name: String) throws(LabelError) -> Double? {
      guard let text = columns[name], !text.isEmpty else { return nil }
      guard let value = DelimitedText.number(text), value.isFinite else {
        throw LabelError(line: line, message: "expected a number in \(name), found \"\(text)\"")
      }
      return value
    }
    func count(_ name: String) throws(LabelError) -> Int? {
      guard let value = try number(name) else { return nil }
      guard let count = Int(exactly: value), (0...100_000).contains(count) else {
        throw LabelError(line: line, message: "expected a whole count in \(name), found \(value)")
      }
      return count
    }
    guard let recording = columns["recording"], !recording.isEmpty else {
      throw LabelError(line: line, message: "expected a recording's name")
    }
    guard let reps = try count("reps") else {
      throw LabelError(line: line, message: "expected a count in reps")
    }
    self.recording = recording
    self.reps = reps
    self.columns = columns
    self.line = line
    if let low = try count("reps_low"), let high = try count("reps_high"), low <= high {
      repRange = low...high
    }
    switch (try number("start"), try number("end")) {
    case (let start?, let end?):
      guard start < end else {
        throw LabelError(line: line, message: "expected start before end")
      }
      span = start...end
    case (nil, nil): span = nil
    default: throw LabelError(line: line, message: "expected both start and end, or neither")
    }
    exercise = ["exercise", "activity"].compactMap { columns[$0] }.first { !$0.isEmpty }
    if let text = columns["rep_times"], !text.isEmpty {
      var times: [ClosedRange<Double>] = []
      for part in text.split(separator: ";") {
        // A minus sign may lead the first number: split at the last dash that follows a digit.
        guard let dash = part.indices.dropFirst().last(where: { isSeparator($0, in: part) }),
          let start = Double(part[..<dash]), let end = Double(part[part.index(after: dash)...]),
          start <= end
        else {
          throw LabelError(
            line: line, message: "expected start-end in rep_times, found \"\(part)\"")
        }
        times.append(start...end)
      }
      repTimes = times
    }
  }
}

private func isSeparator(_ index: Substring.Index, in part: Substring) -> Bool {
  part[index] == "-" && (part[part.index(before: index)].isNumber)
}

extension LabeledSet {
  /// Returns whether the row passes all filters: allowed values by column name.
  package func matches(_ filters: [String: Set<String>]) -> Bool {
    filters.allSatisfy { column, values in values.contains(columns[column] ?? "") }
  }
}

extension LabeledSet {
  /// Returns a label for each recording in a folder whose name contains its reps, and the other names.
  ///
  /// - Throws: `NamePattern.Failure` if no name matches.
  package static func rows(
    byNamesIn folder: String, pattern: NamePattern
  ) throws(NamePattern.Failure) -> (rows: [LabeledSet], misnamed: [String]) {
    var labels = RecordingLabels()
    labels.pattern = pattern
    let names = InputScanner.scan([folder]).flatMap(\.files).map {
      RecordingLabels.stem(of: $0.path)
    }
    labels = try labels.resolved(for: names)
    let rows = names.compactMap { name -> LabeledSet? in
      let label = labels.label(ofRecording: name)
      guard let reps = label.reps else { return nil }
      var columns = ["recording": name, "reps": String(reps)]
      columns["exercise"] = label.exercise
      columns["user"] = label.user
      columns["weight"] = label.weight.map { "\($0)" }
      columns["set"] = label.set.map { String($0) }
      return LabeledSet(recording: name, reps: reps, exercise: label.exercise, columns: columns)
    }
    return (rows, names.filter { labels.isMisnamed($0) })
  }
}
