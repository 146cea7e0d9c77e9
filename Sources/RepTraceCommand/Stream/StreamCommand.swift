import ArgumentParser
import Foundation
import Logging
import RepTrace

struct StreamCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract: "Reads chunks and control messages as they come, prints events as they happen.",
    discussion: """
      NDJSON on standard input, one chunk or message a line, binary frames among them; NDJSON on \
      standard output, one event a line. docs/stream-protocol.md describes every message. With \
      --store, an ack names a chunk once it is durably stored, and a stream that is started again \
      after a crash continues the open sets.

      Examples:
        reptrace stream --store history.sqlite < chunks.ndjson
      """)

  @Option(help: "Keep everything in this history.", completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Flag(help: "Go on with a store in which damage is found at the start, instead of refusing it.")
  var acceptDamage = false

  @Option(help: "How samples are stored: lossless, or bounded (within 1e-4 g, rad/s and rad).")
  var timeline: TimelineChoice = .lossless

  @Option(
    help: ArgumentHelp(
      "How long live detection waits for a missing chunk, in seconds of signal.",
      valueName: "seconds"))
  var gapWait = 10.0

  @OptionGroup var detection: DetectionOptions

  @Option(
    help: ArgumentHelp(
      "How dates in chunks are encoded, where it should not be recognized.",
      valueName: "encoding"))
  var dates: DateEncoding?

  @Option(help: ArgumentHelp("The longest line or frame, in bytes.", valueName: "bytes"))
  var lineLimit = 4 << 20

  @Option(
    help: ArgumentHelp(
      "Open sets at once; beyond that the one silent longest is finalized.",
      valueName: "count"))
  var liveSets = 20_000

  @Option(
    help: ArgumentHelp(
      "Sets that have ended and stay in memory for late chunks.", valueName: "count"))
  var endedSets = 2_000

  @Option(
    help: ArgumentHelp(
      "Samples and health readings in memory, of all sets.", valueName: "count"))
  var samplesInMemory = 40_000_000

  @Option(
    help: """
      When a chunk is acknowledged: durable (once it is in the store), or finalized (once the set \
      that holds it is, so that the sender may be the journal).
      """)
  var ack: StreamOptions.Acknowledgement = .durable

  @Option(
    help: ArgumentHelp(
      "How long finishing may take after SIGTERM or SIGINT, also if nobody reads the output; 0 leaves no time.",
      valueName: "seconds"))
  var drainSeconds = 30.0

  @Option(
    help: ArgumentHelp(
      "Write the running figures here every 5 s, and at SIGUSR1, in Prometheus' text format.",
      valueName: "file"), completion: .file())
  var metrics: String?

  @Option(
    help: """
      What the log on standard error says, as lines of JSON, of this level and above. Starts, \
      recoveries, finished sets and ends are info, refused messages warning. The levels are \
      \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")) . \
      Without it only errors are logged, and a summary is printed at the end.
      """, transform: Logger.Level.init(argument:))
  var logLevel: Logger.Level?

  @Option(help: ArgumentHelp("Threads that decode and detect.", valueName: "count"))
  var workers = min(8, max(1, ProcessInfo.processInfo.activeProcessorCount))

  func validate() throws {
    try require(store != "", "--store is the path of a file")
    try require(gapWait.isFinite && gapWait >= 0, "--gap-wait is a number of seconds")
    try require((256...(1 << 30)).contains(lineLimit), "--line-limit is between 256 and \(1 << 30)")
    try require(
      drainSeconds.isFinite && drainSeconds >= 0, "--drain-seconds is a number of seconds")
    try require(liveSets > 0, "--live-sets is 1 or more")
    try require(endedSets >= 0, "--ended-sets is 0 or more")
    try require(samplesInMemory > 0, "--samples-in-memory is 1 or more")
    try require((1...256).contains(workers), "--workers is from 1 to 256")
  }

  func run() throws {
    var options = StreamOptions()
    options.detector = detection.detector
    options.gapWaitSeconds = gapWait
    options.decoding.dateEncoding = dates
    options.decoding.limits.messageBytes = lineLimit
    options.liveSets = liveSets
    options.endedSets = endedSets
    options.samples = samplesInMemory
    options.workers = workers
    options.storage.precision = timeline.precision
    options.keepsJournal = store != nil
    options.acknowledgement = ack
    let history = try store.map { try HistoryOpening.forWriting($0, checksRows: !acceptDamage) }
    let claim = try HistoryOpening.writing { try history?.journal.claim() }
    // Release the lock after failures, too.
    defer { claim?.end() }
    if !acceptDamage { try HistoryOpening.writing { try history?.requireIntact() } }
    if let history {
      // An earlier run may have been killed before it learned.
      try learnMovements(in: history)
      options.knownMovements = MovementCache(history)
    }
    let service = StreamService(
      options: options, history: history, claim: claim, drainSeconds: drainSeconds,
      metricsPath: metrics, log: .stream(level: logLevel ?? .error))
    try HistoryOpening.writing { try service.run() }
    if let history { try learnMovements(in: history) }
    try HistoryOpening.writing { try history?.close() }
    if logLevel == nil { StandardStreams.note(service.summary) }
  }

  private func learnMovements(in history: HistoryStore) throws {
    do {
      try HistoryOpening.learnMovements(in: history)
    } catch {
      // With --accept-damage a stream continues without known movements if they are unreadable.
      guard acceptDamage else { throw error }
    }
  }
}

extension StreamOptions.Acknowledgement: ExpressibleByArgument {}
