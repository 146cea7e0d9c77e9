import Foundation
import RepTrace
import Synchronization

/// Runs a stream: one thread reads, one decodes and detects, one commits and writes.
///
/// Between them are queues of few places, and every call that waits blocks its thread. A reader
/// of the output that is slow, or a slow disk, thus holds up the input, and memory stays bounded.
final class StreamService: Sendable {
  private let options: StreamOptions
  private let history: HistoryStore?
  private let claim: JournalClaim?
  private let drainSeconds: Double
  private let tally = Mutex(Tally())

  private struct Tally {
    var messages = 0
    var events = 0
    var errors = 0
    /// What was in memory when the input ended.
    var memory: StreamEngine.Memory?
  }

  /// - Parameters:
  ///   - claim: The right to write the history's journal.
  ///   - drainSeconds: How long finishing may take once the process is told to end.
  init(
    options: StreamOptions, history: HistoryStore?, claim: JournalClaim?, drainSeconds: Double
  ) {
    self.options = options
    self.history = history
    self.claim = claim
    self.drainSeconds = drainSeconds
  }

  var summary: String {
    let tally = tally.withLock { $0 }
    let memory = tally.memory.map {
      "; \($0.sets) sets in memory at the end, their samples in \($0.sampleBytes) bytes"
    }
    return "\(tally.messages) messages, \(tally.events) events, \(tally.errors) errors"
      + (memory ?? "")
  }

  /// Runs until the input ends or the process is told to end. Its threads have ended then.
  ///
  /// - Throws: ``InputError``, ``OutputError``, and what the history throws.
  func run() throws {
    let inputs = BoundedQueue<[StreamInput]>(capacity: 2)
    let outputs = BoundedQueue<StreamBatch>(capacity: 2)
    let limit = options.decoding.limits.messageBytes
    let signals = try StreamSignals(drainSeconds: drainSeconds)
    let reading = try JoinedThread {
      do {
        let reader = StreamReader(
          descriptor: STDIN_FILENO, messageBytes: limit, signals: signals)
        while let batch = try reader.next(), inputs.push(batch) {}
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
    try outcome.get()
  }

  private func commit(_ outputs: BoundedQueue<StreamBatch>) throws {
    var writer = try EventWriter(history)
    try write(writer.pending)
    while let batch = try outputs.pop() {
      let lines = writer.lines(of: batch)
      let failures = try commit(lines.journal)
      try write(lines.lines + failures.map { StreamEvent($0).jsonLine })
      note(batch.events)
    }
    try finish(writer)
  }

  /// Commits are tried so often; each waits as long as a history waits for another program.
  private static let attempts = 6

  /// While another program holds the store, the input is held up.
  private func commit(_ journal: JournalBatch) throws -> [WorkoutStepFailure] {
    guard let history else { return [] }
    for attempt in 1...Self.attempts {
      do {
        let failures = try history.commit(journal)
        // Durable is what is in the file that everyone else sees.
        try claim?.check()
        return failures
      } catch HistoryError.busy where attempt < Self.attempts {}
    }
    return []
  }

  /// All is written: the journal needs no events any more.
  private func finish(_ writer: EventWriter) throws {
    var journal = JournalBatch()
    journal.writtenEvents = writer.lastNumber
    _ = try commit(journal)
    try history?.forgetCutSets(keeping: Self.cutSetsKept)
  }

  /// What an end of input cut goes on in later runs, as long as there is not more of it.
  private static let cutSetsKept = 50_000

  private func detect(
    _ inputs: BoundedQueue<[StreamInput]>, _ outputs: BoundedQueue<StreamBatch>
  ) throws {
    let engine = StreamEngine(options: options, archive: history)
    if let history {
      var first = StreamBatch()
      first.events = try history.openWorkouts().map { workout in
        StreamEvent(
          .warning(kind: "openWorkout", message: "the workout was left open, and goes on"),
          identity: SetIdentity(sessionId: workout.sessionId))
      }
      let recovered = try engine.recover()
      first.events += recovered.events
      first.journal = recovered.journal
      guard outputs.push(first) else { return }
    }
    while let batch = try inputs.pop() {
      tally.withLock { $0.messages += batch.count }
      guard outputs.push(try engine.process(batch)) else { return }
    }
    let memory = engine.memory
    tally.withLock { $0.memory = memory }
    while let batch = try engine.finish() {
      guard outputs.push(batch) else { return }
    }
  }

  private func note(_ events: [StreamEvent]) {
    let errors = events.count { $0.name == "error" }
    tally.withLock {
      $0.events += events.count
      $0.errors += errors
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
    let kept = try history.journalEvents()
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
      let line = event.jsonLine(number: lastNumber)
      journal.events.append(
        .init(
          number: lastNumber, session: event.identity.sessionId?.uppercased() ?? "", line: line))
      return line
    }
    if !journal.isEmpty, isKeeping { journal.writtenEvents = written }
    return (lines, journal)
  }
}

extension StreamEvent {
  /// A step in the life of a workout that could not be taken.
  fileprivate init(_ failure: WorkoutStepFailure) {
    self.init(
      .warning(kind: "workout", message: failure.reason),
      identity: SetIdentity(sessionId: failure.session), line: failure.line)
  }
}
