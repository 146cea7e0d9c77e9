import ArgumentParser
import Foundation
import RepTrace

/// Messages of a run on standard error: warnings, notes, progress on a terminal, a summary.
///
/// Only the first few notes with the same wording are printed; the summary counts the others.
struct RunLog {
  private(set) var tally = ProcessingTally()
  private let options: MessageOptions
  private var noteCounts: [String: Int] = [:]
  private var noteOrder: [String] = []
  private var skipped: [String] = []
  private var withoutSet: [String] = []
  private let labels: RecordingLabels
  /// Recordings whose names do not match the pattern.
  private var misnamed: [String] = []
  /// Rows of `--labels` that have no recording yet.
  private var unusedLabels: Set<String>
  private var earlier = 0

  /// Maximum number of notes with the same wording, and of names in a list.
  private static let few = 3

  init(_ options: MessageOptions, labels: RecordingLabels) {
    self.options = options
    self.labels = labels
    unusedLabels = Set(labels.table.keys)
    if options.quiet { ProgressLine.turnOff() }
  }

  mutating func add(_ outcome: ProcessingOutcome) {
    tally.count(outcome)
    switch outcome {
    case .recording(let recording):
      noteLabel(of: recording.name)
      for warning in recording.warnings { say(warning, kind: Self.wording(warning)) }
      for note in recording.notes { say("note: \(note)", kind: Self.wording(note)) }
      if recording.results.isEmpty { withoutSet.append(recording.name) }
    case .failed(let failure):
      unusedLabels.subtract(RecordingLabels.names(ofRecording: failure.path))
      write(failure.description)
    case .skipped(let path): skipped.append(path)
    }
  }

  /// Counts a recording that an earlier run of the batch finished.
  mutating func add(earlier entry: BatchEntry) {
    tally.count(sets: entry.setRows.count, reps: entry.reps, warnings: entry.warnings)
    earlier += 1
    noteLabel(of: entry.name)
  }

  private mutating func noteLabel(of recording: String) {
    if labels.isMisnamed(recording) { misnamed.append(recording) }
    unusedLabels.subtract(RecordingLabels.names(ofRecording: recording))
  }

  /// Prints a warning or note, up to a few of each kind.
  private mutating func say(_ text: String, kind: String) {
    guard !options.quiet else { return }
    if noteCounts[kind] == nil { noteOrder.append(kind) }
    noteCounts[kind, default: 0] += 1
    if options.verbose || noteCounts[kind, default: 0] <= Self.few { write(text) }
  }

  private func write(_ text: String) { StandardStreams.note(text) }

  /// Returns the common part of notes about different files: the text without file name and numbers.
  private static func wording(_ note: String) -> String {
    let text = note.firstRange(of: ": ").map { note[$0.upperBound...] } ?? note[...]
    return String(text.replacing(/[0-9][0-9.]*/, with: "N"))
  }

  // MARK: - Progress

  func showProgress(_ extra: String = "") { ProgressLine.show(tally.progress + extra) }

  func endProgress() { ProgressLine.clear() }

  // MARK: - Summary

  /// Prints the counts of suppressed notes, the skipped inputs, and the totals.
  mutating func summarize() {
    endProgress()
    guard !options.quiet else { return }
    if !options.verbose {
      for kind in noteOrder {
        let more = noteCounts[kind, default: 0] - Self.few
        if more > 0 { StandardStreams.note("\(more) more: \(kind) (--verbose says which)") }
      }
    }
    if !skipped.isEmpty {
      StandardStreams.note("no recordings: \(Self.named(skipped, all: options.verbose))")
    }
    if !unusedLabels.isEmpty {
      StandardStreams.note(
        "labels without a recording: \(Self.named(unusedLabels.sorted(), all: options.verbose))")
    }
    Self.noteMisnamed(misnamed, all: options.verbose)
    if let first = withoutSet.first {
      StandardStreams.note(
        "no set in \(Self.named(withoutSet, all: options.verbose)); `reptrace explain \(Self.quoted(first))` says why"
      )
    }
    StandardStreams.note(tally.summary + (earlier > 0 ? "; \(earlier) of an earlier run" : ""))
  }

  /// Prints the recordings whose names do not match the pattern.
  static func noteMisnamed(_ names: [String], all: Bool = false) {
    guard !names.isEmpty else { return }
    StandardStreams.note("the name pattern does not fit \(named(names, all: all))")
  }

  private static func named(_ paths: [String], all: Bool) -> String {
    let shown = all ? paths[...] : paths.prefix(few)
    let more = paths.count - shown.count
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// Returns the path quoted for a shell, if needed.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "/._-+,:@%".unicodeScalars
          .contains($0)
    }
    return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}

/// Counts the outcomes of the inputs and derives the exit status.
struct ProcessingTally {
  private(set) var recordings = 0
  private var sets = 0
  private var reps = 0
  private var warnings = 0
  private var failures = 0
  private var missing = 0
  private var skipped = 0

  mutating func count(_ outcome: ProcessingOutcome) {
    switch outcome {
    case .recording(let recording):
      count(
        sets: recording.results.count,
        reps: recording.results.reduce(0) { $0 + $1.reps.count },
        warnings: recording.warnings.count)
    case .failed(let failure):
      failures += 1
      if failure.kind == .missing { missing += 1 }
    case .skipped: skipped += 1
    }
  }

  mutating func count(sets: Int, reps: Int, warnings: Int) {
    recordings += 1
    self.sets += sets
    self.reps += reps
    self.warnings += warnings
  }

  var progress: String { "\(counted(recordings, "recording")), \(counted(sets, "set"))" }

  var summary: String {
    var parts = [
      "\(counted(recordings, "recording")), \(counted(sets, "set")), \(counted(reps, "rep"))"
    ]
    if skipped > 0 { parts.append("\(counted(skipped, "file")) skipped that are no recordings") }
    if warnings > 0 { parts.append(counted(warnings, "warning")) }
    if failures > 0 { parts.append("\(counted(failures, "input")) failed") }
    return parts.joined(separator: "; ")
  }

  func exitStatus(strict: Bool) -> ExitCode? {
    if failures > 0 {
      if recordings > 0 { return ExitStatus.someInputsFailed }
      return missing == failures ? ExitStatus.noInputExists : ExitStatus.noInputDecoded
    }
    return strict && warnings > 0 ? ExitStatus.someInputsFailed : nil
  }
}
