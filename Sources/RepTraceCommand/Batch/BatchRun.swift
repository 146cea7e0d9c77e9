import ArgumentParser
import CBuildInformation
import Digests
import Foundation
import RepTrace

/// A run of `process` that fills a folder with tables. It can be resumed after any kind of end.
struct BatchRun {
  let folder: String
  let resumes: Bool
  /// The options that affect results, by name.
  let options: [String: String]
  let pipeline: ProcessingPipeline

  /// Processes the paths and writes the tables.
  ///
  /// - Parameter save: Called with recordings before they count as finished.
  func run(
    paths: [String], log: inout RunLog, save: (ProcessedRecording) throws -> Void
  ) async throws {
    let journal = try openJournal()
    let known = journal.finishedKeys
    var overlaps = SensorFileOverlaps()
    var progress = BatchProgress()
    let isFinished = { @Sendable (key: String) in known.contains(key) }
    try await pipeline.runBatch(paths: paths, isFinished: isFinished) { outcome, total in
      if outcome.outcomes.isEmpty {
        guard let key = outcome.key, let entry = try journal.adopt(key: key) else { return }
        if let span = entry.span { _ = overlaps.warning(for: span) }
        log.add(earlier: entry)
        progress.total = total
        progress.earlier += 1
      } else {
        for entry in try entries(of: outcome, &overlaps, &log, save) { try journal.append(entry) }
        progress.total = total
        progress.done += 1
      }
      log.showProgress(progress.text)
    }
    log.endProgress()
    try writeTables(of: journal)
  }

  private func openJournal() throws -> BatchJournal {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ExitStatus.cannotCreateOutput.noting(
        "\(folder): cannot be created: \(FileError(folder, error).reason)")
    }
    let run = options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: "; ")
    do {
      return try BatchJournal(
        folder: folder, run: "reptrace \(libraryVersion) \(Self.build); \(run)",
        resumes: resumes)
    } catch {
      throw ExitStatus.cannotCreateOutput.noting("\(error)")
    }
  }

  private func entries(
    of outcome: BatchOutcome, _ overlaps: inout SensorFileOverlaps, _ log: inout RunLog,
    _ save: (ProcessedRecording) throws -> Void
  ) throws -> [BatchEntry] {
    try outcome.outcomes.map { one in
      var one = one
      var entry = BatchEntry(
        name: outcome.name, inputs: outcome.inputs, status: .failed, message: "", warnings: 0,
        reps: 0, seconds: outcome.seconds, setRows: [], repRows: [])
      switch one {
      case .recording(var recording):
        let span = outcome.spans[recording.name]
        if let span, let warning = overlaps.warning(for: span) {
          recording.warnings.append(warning)
          one = .recording(recording)
        }
        try save(recording)
        entry.name = recording.name
        entry.status = .ok
        // Several recordings of one unit can only be recounted together.
        entry.key = outcome.outcomes.count == 1 ? outcome.key : nil
        entry.message = (recording.warnings + recording.notes).joined(separator: "; ")
        entry.warnings = recording.warnings.count
        entry.reps = recording.results.reduce(0) { $0 + $1.reps.count }
        entry.facts = outcome.facts[recording.name]
        entry.span = span
        entry.setRows = recording.results.map(BatchTables.row)
        entry.repRows = BatchTables.rows(ofRepsIn: recording)
      case .failed(let failure):
        entry.name = failure.path
        entry.message = failure.message
        entry.isMissing = failure.kind == .missing
      case .skipped(let path):
        entry.name = path
        entry.status = .skipped
        entry.message = "no recording"
      }
      log.add(one)
      return entry
    }
  }

  // MARK: - Tables

  private func writeTables(of journal: BatchJournal) throws {
    var files = BatchFiles(folder: folder)
    do {
      try files.write(BatchTables.sets, to: "sets.csv")
      try files.write(BatchTables.reps, to: "reps.csv")
      try files.write(BatchTables.recordings, to: "recordings.csv")
      try files.write(manifestHead, to: "manifest.json")
      var isFirst = true
      try journal.forEachEntry { entry in
        for row in entry.setRows { try files.write(row, to: "sets.csv") }
        for row in entry.repRows { try files.write(row, to: "reps.csv") }
        if entry.status != .skipped {
          try files.write(BatchTables.row(of: entry), to: "recordings.csv")
        }
        for input in entry.inputs {
          let object = JSONObjectText([
            "path": .text(input.path), "recording": .text(entry.name),
            "bytes": .number(input.byteCount), "sha256": .text(input.sha256),
            "status": .text(entry.status.rawValue),
          ])
          try files.write((isFirst ? "" : ",") + object.text, to: "manifest.json")
          isFirst = false
        }
      }
      try files.write("]}", to: "manifest.json")
      try files.finish()
    } catch {
      files.discard()
      throw error
    }
  }

  /// The SHA-256 of the executable, which distinguishes builds of one version.
  private static let build: String = {
    guard let path = Bundle.main.executablePath,
      let data = FileManager.default.contents(atPath: path)
    else { return "" }
    return SHA256.hash(data).hexadecimalDigits
  }()

  /// The manifest up to the list of inputs.
  private var manifestHead: String {
    var chosen = JSONObjectText()
    for (name, value) in options.sorted(by: { $0.key < $1.key }) { chosen.add(name, .text(value)) }
    let object = JSONObjectText([
      "program": .text("reptrace"), "version": .text(libraryVersion),
      "commit": .text(String(cString: reptrace_build_commit())), "build": .text(Self.build),
      "options": .json(chosen.text),
    ])
    return object.text.dropLast() + ",\"inputs\":["
  }
}

/// The progress of a batch.
struct BatchProgress {
  var total = 0
  var done = 0
  /// Number of recordings finished by an earlier run.
  var earlier = 0
  private let start = ContinuousClock.now

  var text: String {
    let seconds = start.duration(to: .now) / .seconds(1)
    guard done > 0, seconds > 0 else { return " of \(total)" }
    let rate = Double(done) / seconds
    let left = Double(max(0, total - done - earlier)) / rate
    let time =
      left < 90
      ? "\(Int(left.rounded())) s"
      : left < 5400
        ? "\(Int((left / 60).rounded())) min" : "\(decimal(left / 3600, 1)) h"
    return " of \(total), \(decimal(rate, rate < 10 ? 1 : 0)) a second, \(time) left"
  }
}
