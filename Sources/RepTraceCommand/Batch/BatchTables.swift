import Foundation
import RepTrace

/// The rows of a batch's tables.
enum BatchTables {
  static let sets = DelimitedLine.csv([
    "recording", "set", "setId", "exerciseId", "sessionId", "cause", "start", "end", "reps",
    "confidence", "exercise", "user", "date", "weight", "labelledSet", "labelledReps",
  ])

  static let reps = DelimitedLine.csv(
    ["recording", "set", "rep", "start", "end", "confidence", "duration"]
      + RepAnalysis.figures.map(\.key))

  static let recordings = DelimitedLine.csv([
    "recording", "status", "samples", "rate", "duration", "gaps", "gapSeconds", "clipped",
    "duplicates", "sets", "reps", "secondsTaken", "message",
  ])

  static func row(of result: SetResult) -> String {
    let label = result.label
    return DelimitedLine.csv([
      result.recording, String(result.number), result.identity.setId ?? "",
      result.identity.exerciseId ?? "", result.identity.sessionId ?? "", result.cause.rawValue,
      decimal(result.start, 3), decimal(result.end, 3), String(result.reps.count),
      decimal(result.confidence, 4), label.exercise ?? "", label.user ?? "",
      label.date.map(DateText.iso8601) ?? "", label.weight.map { "\($0)" } ?? "",
      label.set.map { String($0) } ?? "", label.reps.map { String($0) } ?? "",
    ])
  }

  /// Returns a row for each rep with its analysis; unknown values are empty.
  static func rows(ofRepsIn recording: ProcessedRecording) -> [String] {
    var rows: [String] = []
    var results = recording.results[...]
    for part in recording.parts {
      let samples = part.recording.samples.inStandardUnits()
      for set in part.sets {
        guard let result = results.popFirst() else { break }
        let analysis = SetAnalyzer.analyze(set, samples: samples)
        for (rep, figures) in zip(result.reps, analysis.reps) {
          rows.append(
            DelimitedLine.csv(
              [
                result.recording, String(result.number), String(figures.number),
                decimal(rep.start, 3), decimal(rep.end, 3), decimal(rep.confidence, 4),
                decimal(rep.duration, 3),
              ]
                + RepAnalysis.figures.map { $0.value(figures).map { decimal($0, 4) } ?? "" }))
        }
      }
    }
    return rows
  }

  static func row(of entry: BatchEntry) -> String {
    let facts = entry.facts
    func text(_ value: Double?, _ places: Int) -> String {
      value.map { $0.isFinite ? decimal($0, places) : "" } ?? ""
    }
    return DelimitedLine.csv([
      entry.name, entry.status.rawValue, facts.map { String($0.sampleCount) } ?? "",
      text(facts?.rateHz, 2), text(facts?.seconds, 2), facts.map { String($0.gapCount) } ?? "",
      text(facts?.gapSeconds, 2), facts.map { String($0.clippedSamples) } ?? "",
      facts.map { String($0.duplicateSamples) } ?? "", String(entry.setRows.count),
      String(entry.reps), decimal(entry.seconds, 3), entry.message,
    ])
  }
}

/// Files of a folder that are written under temporary names and renamed once complete.
struct BatchFiles {
  private let folder: String
  private var files: [String: FileHandle] = [:]

  init(folder: String) { self.folder = folder }

  mutating func write(_ line: String, to name: String) throws {
    let file = try files[name] ?? create(name)
    files[name] = file
    try FileError.naming(temporary(name)) {
      try file.write(contentsOf: Data((line + "\n").utf8))
    }
  }

  private func create(_ name: String) throws -> FileHandle {
    let path = temporary(name)
    // The file is left from a killed run, or a link that another user planted.
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private func temporary(_ name: String) -> String { "\(folder)/.\(name).part" }

  /// Renames all files to their final names.
  mutating func finish() throws {
    for (name, file) in files {
      try FileError.naming(temporary(name)) {
        try file.synchronize()
        try file.close()
      }
      guard rename(temporary(name), "\(folder)/\(name)") == 0 else {
        throw FileError("\(folder)/\(name)")
      }
    }
    files = [:]
  }

  /// Deletes the incomplete files.
  func discard() {
    for name in files.keys { unlink(temporary(name)) }
  }
}
