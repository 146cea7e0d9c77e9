import Foundation
import Logging
import RepTrace
import Synchronization

/// Runs a stream: one thread reads and decodes, one detects, one commits and writes. Decoding and
/// detecting share their work with helpers.
///
/// Between them are queues of bounded size, and every call that waits blocks its thread. A reader
/// of the output that is slow, or a slow disk, thus holds up the input, and memory stays bounded.
final class StreamService: Sendable {
  private let options: StreamOptions
  private let history: HistoryStore?
  private let claim: JournalClaim?
  private let drainSeconds: Double
  private let metricsPath: String?
  private let log: Logger
  private let metrics = StreamMetrics()
  /// What was in memory when the input ended.
  private let memory = Mutex<StreamEngine.Memory?>(nil)

  /// Messages that were read at once, decoded.
  private struct Received {
    var messages: StreamEngine.DecodedMessages
    var time: ContinuousClock.Instant
    var byteCount: Int

    /// About the bytes that they take.
    var weight: Int { byteCount + 256 * messages.count }
  }

  /// What may wait to be detected, and what is detected and committed at once: a pipe brings 64 KB at a
  /// time, and a commit for each of them would cost more than all else.
  private static let queuedBytes = 8 << 20
  private static let batchBytes = 4 << 20

  /// What they led to; no time for what the end of the input did.
  private struct Detected {
    var batch: StreamBatch
    var time: ContinuousClock.Instant?
  }

  /// - Parameters:
  ///   - claim: The right to write the history's journal.
  ///   - drainSeconds: How long finishing may take once the process is told to end.
  ///   - metricsPath: Where the running figures are written, every few seconds.
  ///   - log: Of starts, recoveries, finished sets, refused messages, and ends.
  init(
    options: StreamOptions, history: HistoryStore?, claim: JournalClaim?, drainSeconds: Double,
    metricsPath: String?, log: Logger
  ) {
    self.options = options
    self.history = history
    self.claim = claim
    self.drainSeconds = drainSeconds
    self.metricsPath = metricsPath
    self.log = log
  }

  var summary: String {
    let memory = memory.withLock { $0 }.map {
      "; \($0.sets) sets in memory at the end, their samples in \($0.sampleBytes) bytes"
    }
    return "\(metrics.messageCount) messages, \(metrics.totalEventCount) events, "
      + "\(metrics.eventCount("error")) errors" + (memory ?? "")
  }

  /// Runs until the input ends or the process is told to end. Its threads have ended then.
  ///
  /// - Throws: ``InputError``, ``OutputError``, and what the history throws.
  func run() throws {
    var start: Logger.Metadata = ["workers": .stringConvertible(options.workers)]
    start["store"] = history.map { .string($0.path) }
    log.info("start", metadata: start)
    let inputs = BoundedQueue<Received>(capacity: Self.queuedBytes) { $0.weight }
    let outputs = BoundedQueue<Detected>(capacity: 2)
    let limit = options.decoding.limits.messageBytes
    let report = { @Sendable [self] in
      writeMetrics(queuedInputs: inputs.count, queuedOutputs: outputs.count)
    }
    let signals = try StreamSignals(drainSeconds: drainSeconds, onUser: report)
    let timer = metricsPath.map { _ in signals.every(Self.metricsInterval, report) }
    let reading = try JoinedThread { [self] in
      do {
        let reader = StreamReader(
          descriptor: STDIN_FILENO, messageBytes: limit, signals: signals)
        while let messages = try reader.next() {
          let (time, byteCount) = (
            ContinuousClock.now, messages.reduce(0) { $0 + $1.byteCount }
          )
          metrics.noteReceived(bytes: byteCount)
          let batch = Received(
            messages: StreamEngine.decode(messages, options: options), time: time,
            byteCount: byteCount)
          guard inputs.push(batch) else { break }
        }
        inputs.close()
      } catch {
        inputs.fail(error)
      }
    }
    let detecting = try JoinedThread { [self] in
      do {
        try detect(inputs, outputs)
        outputs.close()
      } catch {
        outputs.fail(error)
        inputs.cancel()
      }
    }
    let outcome = Result { try commit(outputs) }
    // Whatever ended it: nobody waits for anybody any more.
    outputs.cancel()
    inputs.cancel()
    signals.endInput()
    detecting.join()
    reading.join()
    timer?.cancel()
    report()
    log.info(
      "end",
      metadata: [
        "messages": .stringConvertible(metrics.messageCount),
        "events": .stringConvertible(metrics.totalEventCount),
        "errors": .stringConvertible(metrics.eventCount("error")),
      ])
    try outcome.get()
  }

  private func commit(_ outputs: BoundedQueue<Detected>) throws {
    var writer = try EventWriter(history)
    try write(writer.pending)
    var commits = 0
    while let detected = try outputs.pop() {
      let batch = detected.batch
      commits += 1
      if commits.isMultiple(of: Self.commitsBetweenReclaims) {
        try? history?.journal.reclaimPages(limit: Self.pagesReclaimedAtOnce)
      }
      let lines = writer.lines(of: batch)
      let failures = try commit(lines.journal).map(StreamEvent.init)
      if history != nil, let time = detected.time {
        metrics.noteDurable(messages: batch.statistics.messages, after: time.secondsAgo)
      }
      try write(lines.lines + failures.map(\.jsonLine))
      metrics.noteWritten(batch.events + failures, after: detected.time?.secondsAgo)
      for event in batch.events + failures { log.note(event) }
    }
    try finish(writer)
  }

  private static let commitsBetweenReclaims = 64
  private static let pagesReclaimedAtOnce = 512

  // MARK: - Metrics

  private static let metricsInterval = 5.0

  /// Replaces the file of metrics at once: who reads it sees the old one or the new one.
  private func writeMetrics(queuedInputs: Int, queuedOutputs: Int) {
    guard let metricsPath else { return }
    var gauges = StreamMetrics.Gauges()
    gauges.unixTime = Date().timeIntervalSince1970
    gauges.queuedInputs = queuedInputs
    gauges.queuedOutputs = queuedOutputs
    if let history {
      let size = try? history.journal.size()
      gauges.journalEntries = size?.entries
      gauges.journalBytes = size?.bytes
      gauges.storeBytes = Self.fileSize(history.path)
      gauges.logBytes = Self.fileSize(history.path + "-wal")
    }
    do {
      try Data(metrics.text(gauges).utf8).write(
        to: URL(fileURLWithPath: metricsPath), options: .atomic)
    } catch {
      StandardStreams.note("cannot write the metrics: \(FileError(metricsPath, error))")
    }
  }

  private static func fileSize(_ path: String) -> Int {
    var file = stat()
    return stat(path, &file) == 0 ? Int(file.st_size) : 0
  }

  /// Commits are tried so often; each waits as long as a history waits for another program.
  private static let attempts = 6

  /// While another program holds the store, the input is held up.
  private func commit(_ journal: JournalBatch) throws -> [WorkoutStepFailure] {
    guard let history else { return [] }
    func commitOnce() throws -> [WorkoutStepFailure] {
      let failures = try history.journal.commit(journal)
      // Durable is what is in the file that everyone else sees.
      try claim?.check()
      return failures
    }
    for _ in 1..<Self.attempts {
      do { return try commitOnce() } catch HistoryError.busy {}
    }
    return try commitOnce()
  }

  /// All is written: the journal needs no events any more.
  private func finish(_ writer: EventWriter) throws {
    var journal = JournalBatch()
    journal.writtenEvents = writer.lastNumber
    _ = try commit(journal)
    try history?.journal.forgetCutSets(keeping: Self.cutSetsKept)
    try history?.journal.reclaimPages()
  }

  /// What an end of input cut goes on in later runs, as long as there is not more of it.
  private static let cutSetsKept = 50_000

  private func detect(
    _ inputs: BoundedQueue<Received>, _ outputs: BoundedQueue<Detected>
  ) throws {
    let engine = StreamEngine(options: options, journal: history?.journal)
    if let history {
      var first = StreamBatch()
      first.events = try history.workouts.allUnderWay().map { workout in
        StreamEvent(
          .warning(kind: "openWorkout", message: "the workout was left open, and goes on"),
          identity: SetIdentity(sessionId: workout.sessionId.rawValue))
      }
      let recovered = try engine.recover()
      log.info("recovered", metadata: ["sets": .stringConvertible(engine.memory.sets)])
      first.events += recovered.events
      first.journal = recovered.journal
      guard outputs.push(Detected(batch: first)) else { return }
    }
    var nextMeasure = ContinuousClock.now
    while true {
      let waiting = try inputs.pop(upTo: Self.batchBytes)
      guard var received = waiting.first else { break }
      for next in waiting.dropFirst() {
        received.messages.append(next.messages)
        received.byteCount += next.byteCount
      }
      let batch = try engine.process(received.messages)
      metrics.note(batch.statistics, bytes: received.byteCount)
      // Before it is handed on, as nothing may come after it for long. However many sets there are, it takes a
      // hundredth of the time at most.
      let start = ContinuousClock.now
      if metricsPath != nil, start >= nextMeasure {
        metrics.note(engine.memory)
        nextMeasure = ContinuousClock.now + (ContinuousClock.now - start) * 100
      }
      guard outputs.push(Detected(batch: batch, time: received.time)) else { return }
    }
    let left = engine.memory
    memory.withLock { $0 = left }
    metrics.note(left)
    while let batch = try engine.finish() {
      guard outputs.push(Detected(batch: batch)) else { return }
    }
  }

  private func write(_ lines: [String]) throws {
    guard !lines.isEmpty else { return }
    try StandardStreams.write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
  }
}

/// Numbers the events that a journal keeps until they are written.
private struct EventWriter {
  /// Events of an earlier run that may not have been written.
  private(set) var pending: [String] = []
  private(set) var lastNumber: Int64 = 0
  private var isKeeping = false

  init(_ history: HistoryStore?) throws {
    guard let history else { return }
    isKeeping = true
    let kept = try history.journal.events()
    pending = kept.events.map(\.line)
    lastNumber = kept.last
  }

  /// The lines to be written once the journal is committed. It also says that what came before is
  /// written.
  mutating func lines(of batch: StreamBatch) -> (lines: [String], journal: JournalBatch) {
    var journal = batch.journal
    let written = lastNumber
    let lines = batch.events.map { event in
      guard isKeeping, event.isKept else { return event.jsonLine }
      lastNumber += 1
      let line = event.line(number: lastNumber)
      journal.events.append(
        .init(
          number: lastNumber, session: event.identity.sessionId?.uppercased() ?? "", line: line))
      return line
    }
    if !journal.isEmpty, isKeeping { journal.writtenEvents = written }
    return (lines, journal)
  }
}

extension ContinuousClock.Instant {
  fileprivate var secondsAgo: Double { (ContinuousClock.now - self) / .seconds(1) }
}

extension StreamInput {
  fileprivate var byteCount: Int {
    switch content {
    case .line(let bytes), .frame(let bytes): bytes.count
    case .refused: 0
    }
  }
}

extension StreamEvent {
  /// A step in the life of a workout that could not be taken.
  fileprivate init(_ failure: WorkoutStepFailure) {
    self.init(
      .warning(kind: "workout", message: failure.reason),
      identity: SetIdentity(sessionId: failure.session.rawValue), line: failure.line)
  }
}
