import ChunkDecoding
import Foundation
import Motion
import RecordingInput
import RecordingPipeline
import Synchronization
import WorkoutHistory

/// A stream of chunks and control messages of many people, kept in one history: messages in, acknowledgements
/// and events out. The engine of `reptrace stream`, for programs with their own transport.
///
/// A session belongs to the sender of its first message. Messages for it from others are rejected.
public final class ChunkStream: Sendable {
  public struct Options: Sendable {
    /// Number of detection threads.
    public var workers = 2
    /// True to store samples bit for bit; false to store them within 1e-4 g, rad/s and rad.
    public var isLossless = true
    /// True to open a store in which damage is detected.
    public var acceptsDamage = false
    /// Maximum length of a message, in bytes.
    public var messageBytes = 4 << 20
    /// Maximum number of open sets. Beyond it, the set that has been silent longest is finalized.
    public var liveSets = 20_000
    /// Maximum number of samples and health readings in memory.
    public var samples = 40_000_000
    /// Maximum size of queued messages, in bytes. Beyond it, messages are rejected (``Failure/busy``).
    public var queuedBytes = 32 << 20
    /// Number of events kept for late readers.
    public var retainedEvents = 100_000
    /// Claims a session that is unknown to this store; returns false if it belongs to another person. A
    /// program with several stores queries the others here.
    public var claimsSession: @Sendable (_ session: String, _ person: String) -> Bool = { _, _ in
      true
    }

    public init() {}
  }

  /// A message and its authenticated sender.
  public struct Message: Sendable {
    public enum Content: Sendable {
      /// A chunk, an array of samples, or a control message as JSON.
      case json([UInt8])
      /// A binary frame.
      case frame([UInt8])
    }

    public var content: Content
    public var sender: String
    /// A JSON object with fields that the content lacks, as in a `.metadata.json`.
    public var sidecar: [UInt8]?

    public init(_ content: Content, sender: String, sidecar: [UInt8]? = nil) {
      self.content = content
      self.sender = sender
      self.sidecar = sidecar
    }
  }

  /// An `ack`, `warning` or `error` about one message of a call of ``send(_:)``.
  public struct Answer: Sendable {
    /// The JSON object (`docs/stream-protocol.md`). Its `line` is the message's position in the call, from 1.
    public var json: String
    public var isError: Bool
  }

  /// An event about a set.
  public struct Event: Sendable {
    /// Number of the event, increasing across runs on a store. Equal if an event is delivered twice.
    public var number: Int64
    /// The person of its session; nil if there is none.
    public var person: String?
    /// The JSON object (`docs/stream-protocol.md`).
    public var json: String
  }

  public enum Failure: Error, Sendable {
    /// The queues are full: the messages were not accepted, and can be sent again later.
    case busy
    /// The stream was closed, or its store cannot be written. Unanswered messages are unacknowledged.
    case ended
  }

  private struct Pending {
    var range: Range<Int>
    var answers: [Answer] = []
    var continuation: CheckedContinuation<[Answer], any Error>
  }

  private struct State {
    var pending: [Int: Pending] = [:]
    var hasEnded = false
    var failure: (any Error)?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let history: HistoryStore
  private let claim: JournalClaim
  private let loop: StreamLoop
  private let state = Mutex(State())
  private let lastNumber = Atomic(0)
  private let onEvents: @Sendable ([Event]) -> Void
  private let onEnd: @Sendable ((any Error)?) -> Void

  /// The version of the library.
  public static var version: String { libraryVersion }

  /// Opens a history, creating it if it is missing, and resumes its open sets.
  ///
  /// - Parameters:
  ///   - path: The history's file. It can have only one writer.
  ///   - onEvents: Called on the stream's own thread with durable events, in order.
  ///   - onEnd: Called once when the stream has ended, with the error that ended it before ``close()``.
  /// - Throws: `HistoryError`.
  public init(
    path: String, options: Options = Options(),
    onEvents: @escaping @Sendable ([Event]) -> Void = { _ in },
    onEnd: @escaping @Sendable ((any Error)?) -> Void = { _ in }
  ) throws {
    history = try HistoryStore(path: path, mode: .create, checksRows: !options.acceptsDamage)
    claim = try history.journal.claim()
    if !options.acceptsDamage { try history.requireIntact() }
    self.onEvents = onEvents
    self.onEnd = onEnd
    var stream = StreamOptions()
    stream.decoding.limits.messageBytes = options.messageBytes
    stream.liveSets = options.liveSets
    stream.samples = options.samples
    stream.workers = options.workers
    stream.storage.precision = options.isLossless ? .lossless : .bounded()
    stream.keepsJournal = true
    stream.replaysInput = false
    stream.claimsSession = options.claimsSession
    loop = StreamLoop(
      options: stream, history: history, claim: claim, queuedBytes: options.queuedBytes,
      retainedEvents: Int64(max(1, options.retainedEvents)), finishesSets: false)
    Thread.detachNewThread { [self] in run() }
  }

  private func run() {
    let outcome = Result {
      try loop.run(onRecovery: { _ in }, undelivered: { _ in }, deliver: { deliver($0) })
    }
    let failure: (any Error)? = if case .failure(let error) = outcome { error } else { nil }
    claim.end()
    try? history.close()
    let (pending, waiting) = state.withLock { state in
      state.hasEnded = true
      state.failure = failure
      defer { (state.pending, state.waiting) = ([:], []) }
      return (state.pending, state.waiting)
    }
    for one in pending.values { one.continuation.resume(throwing: Failure.ended) }
    for one in waiting { one.resume() }
    onEnd(failure)
  }

  /// Sends messages, and waits until all their effects are durable.
  ///
  /// - Returns: The answers in the order of the messages: for each one an `ack` or an `error`, and warnings.
  /// - Throws: ``Failure``.
  public func send(_ messages: [Message]) async throws -> [Answer] {
    guard !messages.isEmpty else { return [] }
    let first = lastNumber.add(messages.count, ordering: .relaxed).oldValue + 1
    let inputs = messages.enumerated().map { index, message in
      let content: StreamInput.Content =
        switch message.content {
        case .json(let bytes): .line(bytes)
        case .frame(let bytes): .frame(bytes)
        }
      return StreamInput(
        number: first + index, content: content, sender: message.sender, sidecar: message.sidecar)
    }
    return try await withCheckedThrowingContinuation { continuation in
      let isTaken = state.withLock { state in
        guard !state.hasEnded else { return false }
        state.pending[first] = Pending(
          range: first..<first + messages.count, continuation: continuation)
        return true
      }
      guard isTaken else { return continuation.resume(throwing: Failure.ended) }
      if loop.offer(inputs) { return }
      // The end of the stream may already have removed it.
      let refused = state.withLock { $0.pending.removeValue(forKey: first) }
      refused?.continuation.resume(throwing: Failure.busy)
    }
  }

  private func deliver(_ delivery: StreamLoop.Delivery) {
    let firsts = delivery.groups.map(\.lowerBound).sorted()
    var groups = state.withLock { state in
      firsts.compactMap { state.pending.removeValue(forKey: $0) }
    }
    var events: [Event] = []
    for item in delivery.items {
      if let number = item.number {
        events.append(Event(number: number, person: item.person, json: item.line))
      } else if let line = item.event.line,
        let index = groups.lastIndex(where: { $0.range.lowerBound <= line }),
        groups[index].range.contains(line)
      {
        var event = item.event
        event.line = line - groups[index].range.lowerBound + 1
        groups[index].answers.append(
          Answer(json: event.jsonLine, isError: event.name == "error"))
      }
    }
    for group in groups { group.continuation.resume(returning: group.answers) }
    if !events.isEmpty { onEvents(events) }
  }

  /// Rejects new messages, answers accepted ones, and closes the store. The next run resumes open sets.
  ///
  /// - Throws: The error that ended the stream before this call.
  public func close() async throws {
    loop.close()
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.waiting.append(continuation) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Returns the metrics in Prometheus' text format.
  public func metrics() -> String { loop.metricsText() }

  /// Returns the kept events after a number, in order.
  ///
  /// - Returns: The person's events, and the number to continue from; nil at the end.
  public func events(
    after number: Int64, of person: String
  ) throws -> (events: [Event], next: Int64?) {
    let page = try history.journal.events(after: number, limit: Self.eventsAtOnce)
    var people: [String: String?] = [:]
    let store = SessionPeople(history)
    let events = page.events.compactMap { event -> Event? in
      let owner = people[event.session] ?? store.person(ofSession: event.session)
      people[event.session] = owner
      guard owner?.uppercased() == person.uppercased() else { return nil }
      return Event(number: event.number, person: person, json: event.line)
    }
    return (events, page.events.count < Self.eventsAtOnce ? nil : page.events.last?.number)
  }

  private static let eventsAtOnce = 1000

  /// Returns the number of the last event.
  public func lastEventNumber() throws -> Int64 { try history.journal.events(limit: 0).last }

  /// Returns the owner of a session; nil if it is unknown to this store.
  public func owner(ofSession id: String) -> String? {
    SessionPeople(history).person(ofSession: id)
  }
}
