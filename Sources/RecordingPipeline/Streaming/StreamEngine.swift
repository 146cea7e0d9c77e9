import ChunkDecoding
import Motion
import RecordingInput
import SignalProcessing
import WorkoutHistory

/// What a batch of messages led to.
package struct StreamBatch: Sendable {
  /// In the order of the messages that caused them. They may be said once ``journal`` is durable.
  package var events: [StreamEvent] = []
  package var journal = JournalBatch()
  package var statistics = StreamStatistics()

  package init() {}
}

/// Counts reps in a stream of chunks and control messages: bytes in, events out.
///
/// It does no I/O and reads no clock. The events depend on the messages alone, not on how they are
/// cut into batches nor on the number of threads. What is finalized does not depend on the order of
/// chunks either.
///
/// With a store, whoever uses the engine commits ``StreamBatch/journal`` before saying the events,
/// and calls ``recover()`` first.
package final class StreamEngine {
  private let options: StreamOptions
  var router: StreamRouter
  let shards: [StreamShard]
  private let journal: (any StreamJournal)?
  /// The state of the store's deletions that the router knows.
  private var deletionMark: String?

  /// - Parameter journal: where what is under way and what is finalized is found that is not in memory.
  package init(options: StreamOptions = StreamOptions(), journal: (any StreamJournal)? = nil) {
    self.options = options
    self.journal = journal
    router = StreamRouter(
      options: options, store: journal.map(RouterStore.init) ?? RouterStore())
    let workers = max(1, options.workers)
    shards = (0..<(workers == 1 ? 1 : workers * Self.partsPerWorker)).map { _ in
      StreamShard(options: options, journal: journal)
    }
  }

  /// Messages with what they say, which needs no knowledge of those before: another thread may decode the
  /// next ones meanwhile.
  package struct DecodedMessages: Sendable {
    fileprivate var inputs: [DecodedInput]
    fileprivate var statistics = StreamStatistics()

    package var count: Int { inputs.count }

    /// Adds messages that follow.
    package mutating func append(_ next: DecodedMessages) {
      inputs += next.inputs
      statistics.add(next.statistics)
    }
  }

  /// Decodes messages on as many threads as the options say.
  package static func decode(
    _ inputs: [StreamInput], options: StreamOptions
  ) -> DecodedMessages {
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

  /// A worker that is done with its part takes another one: some parts take far longer than others.
  private static let partsPerWorker = 8

  /// Takes messages in order.
  ///
  /// - Throws: What the journal throws, or encoding a timeline. The engine is not to be used then.
  package func process(_ inputs: [StreamInput]) throws -> StreamBatch {
    try process(Self.decode(inputs, options: options))
  }

  /// Takes messages in order, decoded with the engine's options.
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
    (batch.statistics.openSets, batch.statistics.endedSets) = (
      router.openCount, router.endedCount
    )
    return batch
  }

  /// Takes note of what people deleted since the last batch.
  private func noteDeletions() throws {
    guard let journal else { return }
    let mark = try journal.deletionMark()
    guard mark != deletionMark else { return }
    deletionMark = mark
    var deleted = DeletedKeys()
    for (session, name) in try journal.deletions() { deleted.insert(session: session, name: name) }
    router.note(deleted)
  }

  /// At the start of a workout its person's movements are read again: more may have been learned since.
  private func refreshMovements(_ input: DecodedInput) {
    guard let movements = options.knownMovements, case .success(let line) = input.result else {
      return
    }
    for case .control(let control) in line.messages where control.kind == .startWorkout {
      movements.forget(control.details.userId ?? "")
    }
  }

  /// Sessions that a message starts and that the history has of somebody else.
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

  /// The end of the input: finalizes what is under way, some of it at a time.
  ///
  /// - Returns: nil when nothing is left.
  package func finish(limit: Int = 64) throws -> StreamBatch? {
    router.endOldest(limit: limit) ? try work() : nil
  }

  /// The person of a session, nil if nobody was named.
  package func person(ofSession id: String) -> String? { router.person(ofSession: id) }

  /// What is in memory: sets and sessions, and the bytes that their samples take.
  package struct Memory: Sendable {
    package var sets: Int
    package var sampleBytes: Int
  }

  /// O(sets in memory).
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

  /// Changes to the journal and the history in the order of the messages that caused them, so that the history
  /// does not depend on how messages come in batches.
  private static func journal(
    of routed: StreamRouter.Routed, _ outputs: [StreamShard.Output], keepsAll: Bool
  ) -> JournalBatch {
    let starts = routed.messageStarts
    func message(_ sequence: Int) -> Int { starts.partitioningIndex { $0 > sequence } }
    var parts: [Int: JournalBatch] = [:]
    for item in routed.workoutSteps {
      parts[message(item.sequence), default: .init()].workoutSteps.append(item.step)
    }
    // Messages of what is finalized later in the batch need not be written.
    var finalizedAt: [String: Int] = [:]
    for item in outputs.flatMap(\.finalized).sorted(by: { $0.sequence < $1.sequence }) {
      parts[message(item.sequence), default: .init()].finalized.append(item.recording)
      if item.recording.continuation == nil { finalizedAt[item.recording.key] = item.sequence }
    }
    for item in outputs.flatMap(\.discarded) {
      parts[message(item.sequence), default: .init()].discarded.append(item.key)
    }
    // Other messages only add to the journal: they join the part before, if that finalizes nothing.
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

  /// The part of a message that only adds to the journal.
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

  /// FNV-1a: the same in every run, unlike Swift's own hashes.
  private func shard(of key: StreamKey) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(hash % UInt64(shards.count))
  }

  // MARK: - Recovery

  /// Takes up what the journal says was under way.
  ///
  /// - Returns: A `setStarted` for every declared set that goes on, and what cannot be read.
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
      batch.events += item.set.events
    }
    return batch
  }
}
