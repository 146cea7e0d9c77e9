import ArgumentParser
import Foundation
import RepTrace

struct ProcessCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "process",
    abstract: "Decodes recordings, finds the sets, counts the reps, prints one result per set.",
    discussion: """
      PATH is a file or a folder, which is searched recursively. Chunk files that belong together \
      are one recording. Sets are counted as declared where the input names them (setId, startSet, \
      --one-set), and found in the signal where it does not.
      """)

  @Argument(help: "Files and folders.", completion: .file())
  var paths: [String]

  @Flag(help: "Each recording holds exactly one set, perhaps with a few seconds around it.")
  var oneSet = false

  @OptionGroup var input: InputOptions

  @Option(help: "Write what is found into this history.", completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Option(help: "How samples are stored: lossless, or bounded (within 1e-4 of their unit).")
  var timeline: TimelineChoice = .lossless

  @Option(help: "table, ndjson or csv.")
  var output: OutputFormat = .preferred

  @Flag(help: "Warnings, too, make the exit status 1.")
  var strict = false

  @Flag(help: "No pictures of the movement under the table.")
  var noColor = false

  func validate() throws {
    guard !paths.isEmpty else { throw ValidationError("no path given") }
    guard output != .json else { throw ValidationError("--output json is ndjson here") }
  }

  func run() async throws {
    let history = try store.map { try HistoryOpening.forWriting($0) }
    let pipeline = ProcessingPipeline(
      options: ProcessingOptions(
        oneSet: oneSet, loading: try input.loadingOptions(),
        storage: store.map { _ in StorageOptions(precision: timeline.precision) }))
    var printer = SetPrinter(output: output)
    var tally = ProcessingTally()
    let drawsMovement = output == .table && SparklineOptions.isWanted(noColor: noColor)
    var pictures: [String] = []
    var unsaved = UnsavedRecordings()
    /// What is printed is saved.
    func save() throws {
      let recordings = unsaved.take()
      if let history, !recordings.isEmpty {
        try HistoryOpening.save(recordings, from: paths, in: history)
      }
      for result in recordings.lazy.flatMap(\.results) { try printer.print(result) }
    }
    try await pipeline.run(paths: paths) { outcome in
      tally.count(outcome)
      switch outcome {
      case .recording(let recording):
        for warning in recording.warnings { StandardStreams.note(warning) }
        for note in recording.notes { StandardStreams.note("note: \(note)") }
        unsaved.add(recording)
        if history == nil || unsaved.areMany { try save() }
        // Beyond a few screens, pictures are for report.
        if drawsMovement, pictures.count < 200 {
          pictures += SparklineOptions.lines(
            recording, width: StandardStreams.terminalWidth ?? 80)
        }
      case .failed(let failure): StandardStreams.note(failure.description)
      case .skipped: break
      }
      if StandardStreams.errorIsTerminal, output != .table || !StandardStreams.outputIsTerminal {
        StandardStreams.note("\u{1B}[1A\u{1B}[2K\(tally.progress)")
      }
    }
    try save()
    try HistoryOpening.reporting { try history?.close() }
    try printer.finish()
    for line in pictures { try StandardStreams.write(line + "\n", to: STDOUT_FILENO) }
    StandardStreams.note(tally.summary)
    if let status = tally.exitStatus(strict: strict) { throw status }
  }
}

/// The options by which every command that reads recordings can be told about their format.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the files, where it should not be recognised from their content: "
        + RecordingFormat.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "format"))
  var format: RecordingFormat?

  @Option(
    help: ArgumentHelp(
      "Describes the columns of CSV files that do not say so themselves.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "How dates in chunks are encoded, where it should not be recognised: "
        + DateEncoding.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "encoding"))
  var dates: DateEncoding?

  @Option(
    help: ArgumentHelp(
      "What is read at most, for example depth=32: "
        + DecodingLimits.names.map { "\($0.name)=\(DecodingLimits.standard[keyPath: $0.limit])" }
        .joined(separator: ", ") + ". May be given several times.",
      valueName: "name=number"))
  var limit: [LimitOption] = []

  func loadingOptions() throws -> LoadingOptions {
    do {
      var options = try LoadingOptions(format: format, columnsFile: columns, dateEncoding: dates)
      for limit in limit { options.decoding.limits[keyPath: limit.path] = limit.value }
      return options
    } catch {
      StandardStreams.note("\(error)")
      throw ExitStatus.noInputDecoded
    }
  }
}

/// A limit given as `NAME=NUMBER`.
struct LimitOption: ExpressibleByArgument {
  var path: WritableKeyPath<DecodingLimits, Int> & Sendable
  var value: Int

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = Int(parts[1]), value > 0,
      let known = DecodingLimits.names.first(where: { $0.name == parts[0] })
    else { return nil }
    path = known.limit
    self.value = value
  }
}

extension ChunkDecoding.RecordingFormat: ExpressibleByArgument {}
extension ChunkDecoding.DateEncoding: ExpressibleByArgument {}

/// Counts what became of the inputs, and derives the exit status.
struct ProcessingTally {
  private var recordings = 0
  private var sets = 0
  private var reps = 0
  private var warnings = 0
  private var failures = 0
  private var missing = 0
  private var skipped = 0

  mutating func count(_ outcome: ProcessingOutcome) {
    switch outcome {
    case .recording(let recording):
      recordings += 1
      sets += recording.results.count
      reps += recording.results.reduce(0) { $0 + $1.reps.count }
      warnings += recording.warnings.count
    case .failed(let failure):
      failures += 1
      if failure.kind == .missing { missing += 1 }
    case .skipped: skipped += 1
    }
  }

  var progress: String { "\(recordings) recordings, \(sets) sets" }

  var summary: String {
    func many(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    var parts = ["\(many(recordings, "recording")), \(many(sets, "set")), \(many(reps, "rep"))"]
    if skipped > 0 { parts.append("\(many(skipped, "file")) skipped that are no recordings") }
    if warnings > 0 { parts.append(many(warnings, "warning")) }
    if failures > 0 { parts.append("\(many(failures, "input")) failed") }
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

/// Recordings that wait for the others of their transaction.
struct UnsavedRecordings {
  private var recordings: [ProcessedRecording] = []
  private var samples = 0
  private var waiting: ContinuousClock.Instant?

  /// Whether they are worth a transaction: it waits for the disk, and holds up other writers.
  var areMany: Bool {
    recordings.count >= 256 || samples >= 1_000_000
      || waiting.map { $0.duration(to: .now) > .milliseconds(500) } ?? false
  }

  mutating func add(_ recording: ProcessedRecording) {
    recordings.append(recording)
    samples += recording.parts.reduce(0) { $0 + $1.recording.samples.count }
    waiting = waiting ?? .now
  }

  mutating func take() -> [ProcessedRecording] {
    defer { self = UnsavedRecordings() }
    return recordings
  }
}
