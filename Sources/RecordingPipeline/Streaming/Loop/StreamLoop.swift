import Foundation
import Motion
import Synchronization
import WorkoutHistory

/// Runs a stream's engine between a source of messages and a sink of events. One thread detects; the thread
/// that calls ``run(onRecovery:undelivered:deliver:)`` commits, then delivers. Decoding and detection use
/// further threads for parts of their work.
///
/// The threads exchange work through bounded queues that block while they are full, so that a slow sink or disk
/// slows down the source and memory stays bounded.
package final class StreamLoop: Sendable {
  /// Events that may be emitted because the changes that caused them are durable.
  package struct Delivery: Sendable {
    package struct Item: Sendable {
      package var event: StreamEvent
      /// The number by which readers recognize an event that is delivered again.
      package var number: Int64?
      /// The person of the event's session, for a numbered event.
      package var person: String?

      package var line: String { event.line(number: number) }
    }

    package var items: [Item]
    /// Number ranges of the processed messages, one per call of ``submit(_:)`` or ``offer(_:)``.
    package var groups: [Range<Int>]
  }

  private let options: StreamOptions
  private let history: HistoryStore?
  private let claim: JournalClaim?
  private let retainedEvents: Int64
  private let finishesSets: Bool
  private let measuresMemory: Bool
  private let inputs: BoundedQueue<Received>
  private let outputs = BoundedQueue<Detected>(capacity: 2)
  package let metrics = StreamMetrics()
  private let memoryAtEnd = Mutex<StreamEngine.Memory?>(nil)

  /// Messages submitted together, decoded.
  private struct Received {
    var messages: StreamEngine.DecodedMessages
    var time: ContinuousClock.Instant
    var byteCount: Int
    var groups: [Range<Int>]

    /// Estimated memory of the messages, in bytes.
    var weight: Int { byteCount + 256 * messages.count }
  }

  /// Maximum size of a batch that is detected and committed at once. A pipe delivers 64 KB at a time, and a
  /// commit for each read would dominate the cost.
  private static let batchBytes = 4 << 20

  /// The result of a batch; `time` is nil for the end of the input.
  private struct Detected {
    var batch: StreamBatch
    var time: ContinuousClock.Instant?
    var groups: [Range<Int>] = []
    /// The person of each event.
    var people: [String?] = []
  }

  /// - Parameters:
  ///   - claim: The right to write the history's journal.
  ///   - queuedBytes: Maximum size of the messages that wait for detection, in bytes.
  ///   - retainedEvents: Number of delivered events that stay in the journal for later readers.
  ///   - finishesSets: Whether the end of the input finalizes open sets. Otherwise they resume in the next run.
  ///   - measuresMemory: Whether the metrics include the memory of samples, which takes time to measure.
  package init(
    options: StreamOptions, history: HistoryStore?, claim: JournalClaim?,
    queuedBytes: Int = 8 << 20, retainedEvents: Int64 = 0, finishesSets: Bool = true,
    measuresMemory: Bool = true
  ) {
    inputs = BoundedQueue(capacity: queuedBytes) { $0.weight }
    self.options = options
    self.history = history
    self.claim = claim
    self.retainedEvents = retainedEvents
    self.finishesSets = finishesSets
    self.measuresMemory = measuresMemory
  }

  /// Memory in use at the end of the input.
  package var finalMemory: StreamEngine.Memory? { memoryAtEnd.withLock { $0 } }

  // MARK: - Input

  /// Decodes messages and queues them; blocks while the queue is full.
  ///
  /// - Returns: False if the loop no longer accepts messages.
  package func submit(_ messages: [StreamInput]) -> Bool {
    let received = decode(messages)
    metrics.noteReceived(bytes: received.byteCount)
    return inputs.push(received)
  }

  /// Decodes messages and queues them if there is room.
  ///
  /// - Returns: False if there is no room, or the loop no longer accepts messages.
  package func offer(_ messages: [StreamInput]) -> Bool {
    guard !inputs.isFull else { return false }
    let received = decode(messages)
    guard inputs.offer(received) else { return false }
    metrics.noteReceived(bytes: received.byteCount)
    return true
  }

  private func decode(_ messages: [StreamInput]) -> Received {
    let time = ContinuousClock.now
    let numbers = messages.first.map { $0.number..<$0.number + messages.count }
    return Received(
      messages: StreamEngine.decode(messages, options: options), time: time,
      byteCount: messages.reduce(0) { $0 + $1.byteCount }, groups: numbers.map { [$0] } ?? [])
  }

  /// Marks the end of the input.
  package func close() { inputs.close() }

  /// Ends the input with an error, which ``run(onRecovery:undelivered:deliver:)`` throws.
  package func fail(_ error: any Error) { inputs.fail(error) }

  // MARK: - Running

  /// Runs until the input ends. The detection thread has ended when it returns.
  ///
  /// - Parameters:
  ///   - onRecovery: Called with the number of sets resumed from the journal.
  ///   - undelivered: Called first, with events that an earlier run may not have delivered.
  ///   - deliver: Called with events once the changes that caused them are durable.
  /// - Throws: The error passed to ``fail(_:)``, and errors of the history and of `deliver`.
  package func run(
    onRecovery: @escaping @Sendable (Int) -> Void,
    undelivered: ([String]) throws -> Void, deliver: (Delivery) throws -> Void
  ) throws {
    let detecting = try JoinedThread { [self] in
      do {
        try detect(onRecovery)
        outputs.close()
      } catch {
        outputs.fail(error)
        inputs.cancel()
      }
    }
    let outcome = Result { try commitAll(undelivered, deliver) }
    // Unblock the threads that wait on the queues, also after an error.
    outputs.cancel()
    inputs.cancel()
    detecting.join()
    try outcome.get()
  }

  private func detect(_ onRecovery: (Int) -> Void) throws {
    let engine = StreamEngine(options: options, journal: history?.journal)
    if let history {
      var first = StreamBatch()
      first.events = try history.workouts.allInProgress().map { workout in
        StreamEvent(
          .warning(kind: "openWorkout", message: "the workout was left open, and goes on"),
          identity: SetIdentity(sessionId: workout.sessionId.rawValue))
      }
      let recovered = try engine.recover()
      onRecovery(engine.memory.sets)
      first.events += recovered.events
      first.journal = recovered.journal
      guard outputs.push(detected(first, by: engine)) else { return }
    }
    var nextMeasure = ContinuousClock.now
    while true {
      let waiting = try inputs.pop(upTo: Self.batchBytes)
      guard var received = waiting.first else { break }
      for next in waiting.dropFirst() {
        received.messages.append(next.messages)
        received.byteCount += next.byteCount
        received.groups += next.groups
      }
      let batch = try engine.process(received.messages)
      metrics.note(batch.statistics, bytes: received.byteCount)
      // Measure before the push, which may block for long. Measuring takes at most 1 % of the time.
      let start = ContinuousClock.now
      if measuresMemory, start >= nextMeasure {
        metrics.note(engine.memory)
        nextMeasure = ContinuousClock.now + (ContinuousClock.now - start) * 100
      }
      var detected = detected(batch, by: engine)
      (detected.time, detected.groups) = (received.time, received.groups)
      guard outputs.push(detected) else { return }
    }
    let left = engine.memory
    memoryAtEnd.withLock { $0 = left }
    metrics.note(left)
    while finishesSets, let batch = try engine.finish() {
      guard outputs.push(detected(batch, by: engine)) else { return }
    }
  }

  private func detected(_ batch: StreamBatch, by engine: StreamEngine) -> Detected {
    guard retainedEvents > 0 else { return Detected(batch: batch) }
    var known: [String: String?] = [:]
    let people = batch.events.map { event -> String? in
      guard event.isKept, let session = event.identity.sessionId else { return nil }
      if let person = known[session] { return person }
      let person = engine.person(ofSession: session)
      known[session] = person
      return person
    }
    return Detected(batch: batch, people: people)
  }

  // MARK: - Committing

  private func commitAll(
    _ undelivered: ([String]) throws -> Void, _ deliver: (Delivery) throws -> Void
  ) throws {
    var lastNumber: Int64 = 0
    if let history {
      // With retention, readers ask for events by number, so nothing is redelivered here.
      let kept = try history.journal.events(limit: retainedEvents > 0 ? 0 : .max)
      lastNumber = kept.last
      try undelivered(kept.events.map(\.line))
    }
    var commits = 0
    while let detected = try outputs.pop() {
      commits += 1
      if commits.isMultiple(of: Self.commitsBetweenReclaims) {
        try? history?.journal.reclaimPages(limit: Self.pagesReclaimedAtOnce)
      }
      var journal = detected.batch.journal
      let before = lastNumber
      var items = number(detected, from: &lastNumber, keeping: &journal)
      if history != nil, !journal.isEmpty { journal.writtenEvents = before - retainedEvents }
      let failures = try commit(journal).map(StreamEvent.init)
      if history != nil, let time = detected.time {
        metrics.noteDurable(messages: detected.batch.statistics.messages, after: time.secondsAgo)
      }
      items += failures.map { Delivery.Item(event: $0) }
      try deliver(Delivery(items: items, groups: detected.groups))
      metrics.noteWritten(items.map(\.event), after: detected.time?.secondsAgo)
    }
    try finish(lastNumber)
  }

  private static let commitsBetweenReclaims = 64
  private static let pagesReclaimedAtOnce = 512

  /// Numbers the events that the journal keeps until their delivery.
  private func number(
    _ detected: Detected, from last: inout Int64, keeping journal: inout JournalBatch
  ) -> [Delivery.Item] {
    detected.batch.events.enumerated().map { index, event in
      guard history != nil, event.isKept else { return Delivery.Item(event: event) }
      last += 1
      let item = Delivery.Item(
        event: event, number: last,
        person: detected.people.isEmpty ? nil : detected.people[index])
      journal.events.append(
        .init(
          number: last, session: event.identity.sessionId?.uppercased() ?? "", line: item.line))
      return item
    }
  }

  /// Maximum number of commit attempts; each waits for the history's busy timeout.
  private static let attempts = 6

  /// Commits a batch, retrying while another program holds the store. Blocks the input meanwhile.
  private func commit(_ journal: JournalBatch) throws -> [WorkoutStepFailure] {
    guard let history else { return [] }
    func commitOnce() throws -> [WorkoutStepFailure] {
      let failures = try history.journal.commit(journal)
      // Durable means written to the file that other programs open.
      try claim?.check()
      return failures
    }
    for _ in 1..<Self.attempts {
      do { return try commitOnce() } catch HistoryError.busy {}
    }
    return try commitOnce()
  }

  /// Deletes delivered events from the journal, except retained ones.
  private func finish(_ lastNumber: Int64) throws {
    var journal = JournalBatch()
    journal.writtenEvents = lastNumber - retainedEvents
    _ = try commit(journal)
    try history?.journal.removeCutSets(keeping: Self.cutSetsKept)
    try history?.journal.reclaimPages()
  }

  /// Maximum number of sets left open by an end of input that later runs can resume.
  private static let cutSetsKept = 50_000

  // MARK: - Metrics

  /// Returns the metrics in Prometheus' text format.
  package func metricsText() -> String {
    var gauges = StreamMetrics.Gauges()
    gauges.unixTime = Date().timeIntervalSince1970
    gauges.queuedInputs = inputs.count
    gauges.queuedOutputs = outputs.count
    if let history {
      let size = try? history.journal.size()
      gauges.journalEntries = size?.entries
      gauges.journalBytes = size?.bytes
      gauges.storeBytes = Self.fileSize(history.path)
      gauges.logBytes = Self.fileSize(history.path + "-wal")
    }
    return metrics.text(gauges)
  }

  private static func fileSize(_ path: String) -> Int {
    var file = stat()
    return stat(path, &file) == 0 ? Int(file.st_size) : 0
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
  /// Creates the event for a workout transition that could not be applied.
  fileprivate init(_ failure: WorkoutStepFailure) {
    self.init(
      .warning(kind: "workout", message: failure.reason),
      identity: SetIdentity(sessionId: failure.session.rawValue), line: failure.line)
  }
}
