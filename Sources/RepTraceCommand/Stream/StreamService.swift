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
  private let tally = Mutex(Tally())

  private struct Tally {
    var messages = 0
    var events = 0
    var errors = 0
    /// What was in memory when the input ended.
    var memory: StreamEngine.Memory?
  }

  init(options: StreamOptions, history: HistoryStore?) {
    self.options = options
    self.history = history
  }

  var summary: String {
    let tally = tally.withLock { $0 }
    let memory = tally.memory.map {
      "; \($0.sets) sets in memory at the end, their samples in \($0.sampleBytes) bytes"
    }
    return "\(tally.messages) messages, \(tally.events) events, \(tally.errors) errors"
      + (memory ?? "")
  }

  /// Runs until the input ends or the process is told to end.
  func run() -> Result<Void, any Error> {
    let inputs = BoundedQueue<[StreamInput]>(capacity: 2)
    let outputs = BoundedQueue<StreamBatch>(capacity: 2)
    let limit = options.decoding.limits.messageBytes
    Thread.detachNewThread {
      do {
        let reader = try StreamReader(descriptor: STDIN_FILENO, messageBytes: limit)
        while let batch = try reader.next(), inputs.push(batch) {}
        inputs.close()
      } catch {
        inputs.fail(error)
      }
    }
    Thread.detachNewThread { [self] in
      do {
        try detect(inputs, outputs)
        outputs.close()
      } catch {
        outputs.fail(error)
        inputs.cancel()
      }
    }
    return Result {
      do {
        var writer = try EventWriter(history)
        try write(writer.pending)
        while let batch = try outputs.pop() {
          let lines = writer.lines(of: batch)
          let failures = try commit(lines.journal)
          try write(lines.lines + failures.map { StreamEvent($0).jsonLine })
          note(batch.events)
        }
        try finish(writer)
      } catch {
        outputs.cancel()
        inputs.cancel()
        throw error
      }
    }
  }

  /// Commits are tried so often; each waits as long as a history waits for another program.
  private static let attempts = 6

  /// While another program holds the store, the input is held up.
  private func commit(_ journal: JournalBatch) throws -> [WorkoutStepFailure] {
    guard let history else { return [] }
    for _ in 1..<Self.attempts {
      do { return try history.commit(journal) } catch HistoryError.busy {}
    }
    return try history.commit(journal)
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

/// A queue between two threads that holds up who fills it faster than it is emptied.
final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var items: [Element] = []
    var isClosed = false
    var isCancelled = false
    var failure: (any Error)?
  }

  private let capacity: Int
  private let state = Mutex(State())
  private let changed = Condition()

  init(capacity: Int) { self.capacity = capacity }

  /// Adds an element, waiting while the queue is full.
  ///
  /// - Returns: false if nobody takes elements any more.
  func push(_ element: Element) -> Bool {
    changed.wait {
      state.withLock { state in
        if state.isCancelled { return false }
        guard state.items.count < capacity else { return nil }
        state.items.append(element)
        return true
      }
    }
  }

  /// The next element, waiting for one; nil after the last.
  ///
  /// - Throws: What the queue failed with.
  func pop() throws -> Element? {
    try changed.wait {
      state.withLock { state -> Result<Element?, any Error>? in
        if state.isCancelled { return .success(nil) }
        if !state.items.isEmpty { return .success(state.items.removeFirst()) }
        if let failure = state.failure { return .failure(failure) }
        return state.isClosed ? .success(nil) : nil
      }
    }.get()
  }

  /// No more elements will come.
  func close() { changed.signal { state.withLock { $0.isClosed = true } } }

  /// No more elements will come, because of an error.
  func fail(_ error: any Error) { changed.signal { state.withLock { $0.failure = error } } }

  /// No more elements will be taken.
  func cancel() { changed.signal { state.withLock { $0.isCancelled = true } } }

  private final class Condition: Sendable {
    private let condition = NSCondition()

    /// Tries until there is an answer.
    func wait<Answer>(_ attempt: () -> Answer?) -> Answer {
      condition.lock()
      defer { condition.unlock() }
      while true {
        if let answer = attempt() {
          condition.broadcast()
          return answer
        }
        condition.wait()
      }
    }

    func signal(_ change: () -> Void) {
      condition.lock()
      change()
      condition.broadcast()
      condition.unlock()
    }
  }
}
