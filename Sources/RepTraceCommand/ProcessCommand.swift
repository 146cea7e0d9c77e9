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
      --one-set), and found in the signal if it names none. `reptrace help formats` lists what can be \
      read, and the options for what a file leaves out.

      Examples:
        reptrace process recordings/
        reptrace process watch/*.csv --output csv > sets.csv
        reptrace process recordings/ --store history.sqlite --exercise "Bench press"
        reptrace process archive.zip --out results --resume
      """)

  @Argument(help: "Files and folders.", completion: .file())
  var paths: [String]

  @OptionGroup(title: "Results") var results: ProcessResultOptions

  @OptionGroup(title: "What was recorded") var labels: LabelOptions

  @Flag(help: "Each recording holds exactly one set, perhaps with a few seconds around it.")
  var oneSet = false

  @Option(
    help: ArgumentHelp(
      "Fill this folder with sets.csv, reps.csv, recordings.csv and manifest.json.",
      valueName: "dir"), completion: .directory)
  var out: String?

  @Flag(help: "With --out: continue an interrupted run.")
  var resume = false

  @OptionGroup var messages: MessageOptions

  @OptionGroup var display: DisplayOptions

  @Flag(help: "Warnings, too, make the exit status 1.")
  var strict = false

  @OptionGroup var tuning: ProcessTuningOptions

  @OptionGroup(visibility: .hidden) var input: InputOptions

  @OptionGroup(visibility: .hidden) var timeless: TimelessOptions

  func validate() throws {
    try require(!paths.isEmpty, "no path given")
    try require(paths.count { $0 == "-" } < 2, "standard input (-) can be read once")
    try require(!resume || out != nil, "--resume goes with --out")
    try require(store != "", "--store is the path of a file")
  }

  private var store: String? { results.store }
  private var output: OutputOptions { results.output }
  private var detection: DetectionOptions { tuning.detection }

  /// - Parameter history: The source of the known movements.
  private func processingOptions(_ history: HistoryStore?) throws -> ProcessingOptions {
    var options = ProcessingOptions(
      oneSet: oneSet, loading: timeless.applied(to: try input.loadingOptions()),
      detector: detection.detector)
    options.storage = store.map { _ in
      StorageOptions(
        precision: tuning.timeline.precision, provenance: .ofThisBuild(detector: options.detector))
    }
    options.labels = try labels.recordingLabels()
    options.jobs = tuning.jobs
    if let history {
      options.knownMovements = try HistoryOpening.knownMovements(in: history)
      options.labels.spelling = try HistoryOpening.spelling(in: history)
    }
    return options
  }

  /// Writes the result tables of a batch into a folder.
  private func runBatch(into folder: String) async throws {
    // The results of earlier runs are lost with the history.
    let lostStore = store.flatMap { FileManager.default.fileExists(atPath: $0) ? nil : $0 }
    if resume, let lostStore { StandardStreams.note("\(lostStore) is new: all is counted again") }
    let history = try store.map { try HistoryOpening.forWriting($0) }
    let options = try processingOptions(history)
    let decoding = options.loading.decoding
    let batch = BatchRun(
      folder: folder, resumes: resume && lostStore == nil,
      options: [
        "oneSet": "\(oneSet)", "timeline": tuning.timeline.rawValue, "store": store ?? "",
        "format": decoding.format?.rawValue ?? "", "dates": decoding.dateEncoding?.rawValue ?? "",
        "columns": decoding.columns.map { "\($0)" } ?? "",
        "rate": decoding.rateHz.map { "\($0)" } ?? "",
        "skipLines": "\(decoding.skippedLines)", "limits": "\(decoding.limits)",
        "setProbability": "\(detection.setProbability)", "setPrior": "\(detection.setPrior)",
      ], pipeline: ProcessingPipeline(options: options))
    var log = RunLog(messages, labels: options.labels)
    try await batch.run(paths: paths, log: &log) { recording in
      if let history { try HistoryOpening.save([recording], from: paths, in: history) }
    }
    try close(history)
    log.summarize()
    if let status = log.tally.exitStatus(strict: strict) { throw status }
  }

  /// Learns movements from the saved sets and closes the history.
  private func close(_ history: HistoryStore?) throws {
    guard let history else { return }
    try HistoryOpening.learnMovements(in: history)
    try HistoryOpening.writing { try history.close() }
  }

  func run() async throws {
    if let out { return try await runBatch(into: out) }
    let history = try store.map { try HistoryOpening.forWriting($0) }
    let options = try processingOptions(history)
    let pipeline = ProcessingPipeline(options: options)
    var printer = SetPrinter(
      output.style, usesColor: StandardStreams.outputHasColor && !display.noColor,
      showsCandidates: !options.knownMovements.isEmpty)
    var log = RunLog(messages, labels: options.labels)
    let drawsMovement = output.format == .table && display.drawsPictures
    var pictures: [String] = []
    var unsaved = UnsavedRecordings()
    /// Saves the pending recordings, then prints their sets.
    func save() throws {
      let recordings = unsaved.take()
      if let history, !recordings.isEmpty {
        try HistoryOpening.save(recordings, from: paths, in: history)
      }
      for result in recordings.lazy.flatMap(\.results) { try printer.print(result) }
    }
    ProgressLine.show("reading")
    try await pipeline.run(paths: paths) { outcome in
      log.add(outcome)
      if case .recording(let recording) = outcome {
        unsaved.add(recording)
        if history == nil || unsaved.areMany { try save() }
        // More pictures than a few screens belong in `report`.
        if drawsMovement, pictures.count < 200 {
          pictures += RecordingSparklines.lines(
            recording, width: StandardStreams.terminalWidth ?? 80)
        }
      }
      log.showProgress()
    }
    try save()
    try close(history)
    log.endProgress()
    try printer.finish()
    for line in pictures { try StandardStreams.write(line + "\n", to: STDOUT_FILENO) }
    log.summarize()
    if let status = log.tally.exitStatus(strict: strict) { throw status }
  }
}

/// Output options of `process`. Help lists titled groups before other options.
struct ProcessResultOptions: ParsableArguments {
  @Option(
    help: "Keep the sets and all samples in this history.",
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  @OptionGroup var output: OutputOptions
}

/// Rarely needed options of `process`.
struct ProcessTuningOptions: ParsableArguments {
  @OptionGroup var detection: DetectionOptions

  @Option(help: "How samples are stored: lossless, or bounded (within 1e-4 g, rad/s and rad).")
  var timeline: TimelineChoice = .lossless

  @Option(help: ArgumentHelp("Recordings at the same time.", valueName: "count"))
  var jobs: Int?

  func validate() throws { try require(jobs, in: 1...256, "--jobs is from 1 to 256") }
}

/// Recordings to be saved together in one transaction.
struct UnsavedRecordings {
  private var recordings: [ProcessedRecording] = []
  private var samples = 0
  private var waiting: ContinuousClock.Instant?

  /// True if there are enough for a transaction, which waits for the disk and blocks other writers.
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
