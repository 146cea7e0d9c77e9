import ChunkDecoding
import Motion
import RecordingInput
import SignalProcessing
import WorkoutHistory

/// The result of a batch of messages.
package struct StreamBatch: Sendable {
  /// Events in the order of the messages that caused them. Emit them only once ``journal`` is durable.
  package var events: [StreamEvent] = []
  package var journal = JournalBatch()
  package var statistics = StreamStatistics()

  package init() {}
}

/// Counts reps in a stream of chunks and control messages: bytes in, events out.
///
/// Does no I/O and reads no clock. Events depend on the messages alone, not on batch boundaries or the
/// number of threads. Final results do not depend on the order of chunks either.
///
/// With a store, the caller runs ``recover()`` first, and commits ``StreamBatch/journal`` before it emits the
/// events.
package final class StreamEngine {
  private let options: StreamOptions
  var router: StreamRouter
  let shards: [StreamShard]
  private let journal: (any StreamJournal)?
  /// Version of the store's deletions that the router has applied.
  private var deletionMark: String?

  /// - Parameter journal: The source of open and final sets that are not in memory.
  package init(options: StreamOptions = StreamOptions(), journal: (any StreamJournal)? = nil) {
    self.options = options
    self.journal = journal
    router = StreamRouter(options: options, store: journal.map(RouterStore.init) ?? RouterStore())
    let workers = max(1, options.workers)
    shards = (0..<(workers == 1 ? 1 : workers * Self.partsPerWorker)).map { _ in
      StreamShard(options: options, journal: journal)
    }
  }

  /// Decoded messages. Decoding does not depend on earlier messages, so another thread may decode ahead.
  package struct DecodedMessages: Sendable {
    fileprivate var inputs: [DecodedInput]
    fileprivate var statistics = StreamStatistics()

    package var count: Int { inputs.count }

    /// Appends later messages.
    package mutating func append(_ next: DecodedMessages) {
      inputs += next.inputs
      statistics.add(next.statistics)
    }
  }

  /// Decodes messages on ``StreamOptions/workers`` threads.
  package static func decode(_ inputs: [StreamInput], options: StreamOptions) -> DecodedMessages {
    let stripes = min(inputs.count, partsPerWorker * max(1, options.workers))
    let parts = mapInParallel(stripes, width: options.workers) { stripe in
      inputs[inputs.count * stripe / stripes..<inputs.count * (stripe + 1) / stripes].compactMap {
        DecodedInput($0, options: options)
      }
    }
    var messages = DecodedMessages(inputs: Array(parts.joined()))
    for input in messages.inputs {
      messages.statistics.messages += 1
      if case .success(let line) = input.result {
        for case .chunk(let chunk) in line.messages { messages.statistics.note(chunk) }
      }
    }
    return messages
  }

  /// Number of parts per thread. Decoding times differ widely, so a thread that is done takes the next part.
  private static let partsPerWorker = 8

  /// Processes messages in order.
  ///
  /// - Throws: Errors of the journal, and of encoding a timeline. The engine must not be used afterwards.
  package func process(_ inputs: [StreamInput]) throws -> StreamBatch {
    try process(Self.decode(inputs, options: options))
  }

  /// Processes messages in order, decoded with the engine's options.
  ///
  /// - Throws: As ``process(_:)-([StreamInput])``.
  package func process(_ messages: DecodedMessages) throws -> StreamBatch {
    try noteDeletions()
    for input in messages.inputs {
      try noteSessionsOfOthers(in: input)
      refreshMovements(input)
      router.route(input)
    }
    var batch = try work()
    batch.statistics = messages.statistics
    (batch.statistics.openSets, batch.statistics.endedSets) = (router.openCount, router.endedCount)
    return batch
  }

  /// Applies people's deletions since the last batch.
  private func noteDeletions() throws {
    guard let journal else { return }
    let mark = try journal.deletionMark()
    guard mark != deletionMark else { return }
    deletionMark = mark
    var deleted = DeletedKeys()
    for (session, name) in try journal.deletions() { deleted.insert(session: session, name: name) }
    router.note(deleted)
  }

  /// Reloads a person's known movements at the start of a workout, since more may have been learned.
  private func refreshMovements(_ input: DecodedInput) {
    guard let movements = options.knownMovements, case .success(let line) = input.result else {
      return
    }
    for case .control(let control) in line.messages where control.kind == .startWorkout {
      movements.forget(control.details.userId ?? "")
    }
  }

  /// Records whether sessions that a message starts belong to another person in the history.
  private func noteSessionsOfOthers(in input: DecodedInput) throws {
    guard let journal, input.sender == nil, case .success(let line) = input.result else { return }
    for case .control(let control) in line.messages where control.kind == .startWorkout {
      guard let session = control.identity.sessionId, let person = control.details.userId,
        !person.isEmpty, !router.knowsPerson(ofSession: session)
      else { continue }
      router.note(
        session: session, isContested: try journal.isOfAnother(session: session, than: person))
    }
  }

  /// Finalizes open sets at the end of the input, at most `limit` per call.
  ///
  /// - Returns: nil once no set is open.
  package func finish(limit: Int = 64) throws -> StreamBatch? {
    router.endOldest(limit: limit) ? try work() : nil
  }

  /// Returns the person of a session; nil if no message named one.
  package func person(ofSession id: String) -> String? { router.person(ofSession: id) }

  /// The memory in use: number of sets and sessions, and bytes of their samples.
  package struct Memory: Sendable {
    package var sets: Int
    package var sampleBytes: Int
  }

  /// The memory in use. O(sets in memory).
  package var memory: Memory {
    shards.reduce(into: Memory(sets: 0, sampleBytes: 0)) {
      $0.sets += $1.setCount
      $0.sampleBytes += $1.sampleByteCount
    }
  }

  func work() throws -> StreamBatch {
    let routed = router.take()
    var parts = [[RoutedMessage]](repeating: [], count: shards.count)
    for message in routed.messages { parts[shard(of: message.key)].append(message) }
    let shards = shards
    let outputs = mapInParallel(shards.count, width: options.workers) {
      shards[$0].process(parts[$0])
    }
    if let failure = outputs.compactMap(\.failure).first { throw failure }
    var batch = StreamBatch()
    batch.events = (routed.events + outputs.flatMap(\.events)).enumerated()
      .sorted { ($0.element.sequence, $0.offset) < ($1.element.sequence, $1.offset) }
      .map(\.element.event)
    guard options.keepsJournal else { return batch }
    batch.journal = Self.journal(of: routed, outputs, keepsAll: options.isSession)
    guard !options.isSession else { return batch }
    batch.journal.snapshots = outputs.flatMap(\.snapshots)
    batch.journal.contexts = router.takeContexts()
    batch.journal.endedSessions = router.takeEndedSessions()
    return batch
  }

  /// Returns the changes to the journal and the history in the order of the messages that caused them, so
  /// that the history does not depend on batch boundaries.
  private static func journal(
    of routed: StreamRouter.Routed, _ outputs: [StreamShard.Output], keepsAll: Bool
  ) -> JournalBatch {
    let starts = routed.messageStarts
    func message(_ sequence: Int) -> Int { starts.partitioningIndex { $0 > sequence } }
    var parts: [Int: JournalBatch] = [:]
    for item in routed.workoutSteps {
      parts[message(item.sequence), default: .init()].workoutSteps.append(item.step)
    }
    // Messages of a set that is finalized later in the batch are not written.
    var finalizedAt: [String: Int] = [:]
    for item in outputs.flatMap(\.finalized).sorted(by: { $0.sequence < $1.sequence }) {
      parts[message(item.sequence), default: .init()].finalized.append(item.recording)
      if item.recording.continuation == nil { finalizedAt[item.recording.key] = item.sequence }
    }
    for item in outputs.flatMap(\.discarded) {
      parts[message(item.sequence), default: .init()].discarded.append(item.key)
    }
    // Merge other messages, which only append, into the part before unless that finalizes or discards a set.
    var places = parts.keys.sorted()
    for item in outputs.flatMap(\.opened).sorted(by: { $0.sequence < $1.sequence }) {
      let place = Self.place(of: message(item.sequence), in: &places, parts)
      parts[place, default: .init()].sets.append(item.set)
    }
    for item in outputs.flatMap(\.entries).sorted(by: { $0.sequence < $1.sequence })
    where keepsAll || finalizedAt[item.entry.setKey] ?? 0 < item.sequence {
      let place = Self.place(of: message(item.sequence), in: &places, parts)
      parts[place, default: .init()].entries.append(item.entry)
    }
    var ordered = places.compactMap { parts[$0] }
    var last = ordered.popLast() ?? JournalBatch()
    last.preceding = ordered
    return last
  }

  /// Returns the part for a message that only appends to the journal.
  private static func place(
    of message: Int, in places: inout [Int], _ parts: [Int: JournalBatch]
  ) -> Int {
    let next = places.partitioningIndex { $0 > message }
    if next > 0 {
      let before = places[next - 1]
      if before == message { return before }
      if let part = parts[before], part.finalized.isEmpty, part.discarded.isEmpty { return before }
    }
    places.insert(message, at: next)
    return message
  }

  /// Returns the shard of a set. Equal in every run, unlike Swift's hashes.
  private func shard(of key: StreamKey) -> Int {
    Int(FNV1a(key.text.utf8).value % UInt64(shards.count))
  }

  // MARK: - Recovery

  /// Resumes the open sets of the journal.
  ///
  /// - Returns: A `setStarted` event for every declared set that resumes, and errors for unreadable data.
  package func recover() throws -> StreamBatch {
    guard let journal else { return StreamBatch() }
    var batch = StreamBatch()
    router.recover(try journal.contexts())
    var sets: [(set: JournalSet, key: StreamKey, shard: Int)] = []
    for set in try journal.sets() {
      guard let key = StreamKey(set) else { continue }
      sets.append((set, key, shard(of: key)))
      if key.text != set.key { batch.journal.renamedSets.append((set.key, key.text)) }
    }
    let (shards, placed) = (shards, sets)
    let recovered = mapInParallel(shards.count, width: options.workers) { worker in
      Result {
        try placed.enumerated().filter { $0.element.shard == worker }.map { index, item in
          (index: index, set: try shards[worker].recover(item.set, as: item.key))
        }
      }
    }
    for item in try recovered.flatMap({ try $0.get() }).sorted(by: { $0.index < $1.index }) {
      router.recover(
        sets[item.index].set, as: sets[item.index].key, samples: item.set.samples,
        isEnded: item.set.isEnded)
      for var event in item.set.events {
        event.userId = event.identity.sessionId.flatMap { router.person(ofSession: $0) }
        batch.events.append(event)
      }
    }
    return batch
  }
}
