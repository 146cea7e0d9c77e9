import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// Routes each message to its set and session and applies control messages, in input order. Never looks at samples.
///
/// ``SessionResolver`` interprets messages, and ``SetRegistry`` lists the sets in memory; this type combines them
/// with the store.
struct StreamRouter {
  let options: StreamOptions
  let store: RouterStore
  var resolver: SessionResolver
  var registry: SetRegistry
  var spellings: IdSpellings
  var sequence = 0
  /// The last message and batch of each session in memory.
  var sessionUses: [String: (use: Int, batch: Int)] = [:]
  var uses = 0
  /// The first sequence number of each message in the current batch.
  var messageStarts: [Int] = []
  var endedSessions: Set<String> = []
  /// Sets to be finalized at the end of the input, in reverse order.
  var unfinished: [StreamKey]?

  var messages: [RoutedMessage] = []
  var workoutSteps: [(sequence: Int, step: JournalBatch.WorkoutStep)] = []
  var events: [(sequence: Int, event: StreamEvent)] = []

  init(options: StreamOptions, store: RouterStore = RouterStore()) {
    self.store = store
    self.options = options
    resolver = SessionResolver(resumesRuns: options.keepsJournal && options.replaysInput)
    registry = SetRegistry(options: options)
    spellings = IdSpellings(store)
  }

  /// Numbers of open and of ended sets and sessions in memory.
  var openCount: Int { registry.liveCount }
  var endedCount: Int { registry.endedCount }

  /// The results of routing a batch of messages.
  struct Routed {
    var messages: [RoutedMessage] = []
    var events: [(sequence: Int, event: StreamEvent)] = []
    var workoutSteps: [(sequence: Int, step: JournalBatch.WorkoutStep)] = []
    /// The first sequence number of each message.
    var messageStarts: [Int] = []
  }

  /// Removes and returns the results of routing.
  mutating func take() -> Routed {
    defer {
      (messages, events, workoutSteps, messageStarts) = ([], [], [], [])
      registry.beginBatch()
    }
    return Routed(
      messages: messages, events: events, workoutSteps: workoutSteps, messageStarts: messageStarts)
  }

  // MARK: - Messages

  mutating func route(_ input: DecodedInput) {
    messageStarts.append(sequence + 1)
    switch input.result {
    case .failure(let failure):
      refuse(
        failure.kind.rawValue, failure.message, byteOffset: failure.byteOffset, line: input.number)
    case .success(let line):
      for issue in line.issues where issue.isWarning {
        warn(issue.kind.rawValue, issue.message, line: input.number)
      }
      for (part, message) in line.messages.enumerated() {
        let source = RoutedMessage.Source(
          line: input.number, bytes: input.bytes, hash: input.hash, part: part,
          sha256: input.sha256)
        let named = identified(message)
        guard let message = admit(named, from: input.sender, line: input.number) else { continue }
        switch message {
        case .chunk(let chunk): route(chunk, source)
        case .health(let health): route(health, source)
        case .control(let control): route(control, hash: source.messageHash, line: source.line)
        }
      }
    }
    enforceLimits()
  }

  mutating func emit(_ event: StreamEvent) {
    sequence += 1
    events.append((sequence, event))
  }

  mutating func refuse(
    _ kind: String, _ message: String, byteOffset: Int? = nil, _ identity: SetIdentity = .init(),
    line: Int
  ) {
    emit(
      StreamEvent(
        .error(kind: kind, message: message, byteOffset: byteOffset), identity: identity,
        line: line))
  }

  mutating func refuse(_ refusal: SessionResolver.Refusal, _ identity: SetIdentity, line: Int) {
    switch refusal {
    case .ambiguousSet:
      refuse(
        "ambiguousSet", "several sessions have this set open, and the message names none",
        identity, line: line)
    case .unnamedSession:
      refuse(
        "ambiguousSession", "several sessions are open, and the message names none", identity,
        line: line)
    case .contestedSession:
      refuse(
        "ambiguousSession",
        "the session was started for two people: whose this is cannot be told", identity,
        line: line)
    }
  }

  mutating func warn(
    _ kind: String, _ message: String, _ identity: SetIdentity = .init(), line: Int? = nil
  ) {
    emit(StreamEvent(.warning(kind: kind, message: message), identity: identity, line: line))
  }

  mutating func acknowledge(_ messageId: String?, _ identity: SetIdentity, line: Int) {
    // Without a journal, the sender keeps all messages until their sets are finalized.
    guard options.keepsJournal, !options.isSession, options.acknowledgement == .durable else {
      return
    }
    emit(
      StreamEvent(
        .ack(chunkId: nil, sha256: nil, messageId: messageId), identity: identity, line: line))
  }

  /// Loads the facts of a session from the store.
  mutating func load(_ session: String, as id: String?) {
    guard !session.isEmpty, resolver.sessions[session] == nil else { return }
    if let facts = store.facts(session) {
      resolver.load(facts, as: session)
    } else if let id, let known = store.session(id) {
      var facts = SessionFacts()
      (facts.spelling, facts.person) = (known.id, known.person)
      resolver.load(facts, as: session)
      resolver.noteChanged(session)
    }
  }

  /// Returns the session of a message and loads its facts; nil if the message is refused.
  ///
  /// - Parameter isUnique: True if an honest sender writes these bytes only once.
  mutating func session(of own: SetIdentity, hash: UInt64, isUnique: Bool, line: Int) -> String? {
    if let id = own.sessionId { load(id.uppercased(), as: id) }
    if let before = resolver.sessionBefore(of: own, hash: hash, isUnique: isUnique) {
      return before
    }
    switch resolver.session(of: own) {
    case .success(let session):
      load(session, as: nil)
      uses += 1
      sessionUses[session] = (uses, registry.batch)
      return session
    case .failure(let refusal):
      refuse(refusal, own, line: line)
      return nil
    }
  }

  /// Returns the address of a message, with ids as first spelled, since those of a history are
  /// case-sensitive. Returns nil if the message is refused.
  mutating func address(
    _ own: inout SetIdentity, in session: String, line: Int, hash: UInt64? = nil
  ) -> SessionResolver.Address? {
    spell(&own, in: session)
    switch resolver.address(own, in: session, hash: hash) {
    case .success(var address):
      if case .set(_, let id) = address.key {
        let known =
          registry[address.key]?.identity.setId
          ?? address.identity.sessionId.flatMap { spellings.set(address.identity.setId ?? id, $0) }
        if known != nil, registry[address.key] == nil {
          // An ended set keeps its exercise, even if the session's has changed.
          address.identity.exerciseId = own.exerciseId
        }
        if let known {
          address.identity.setId = known
          if own.setId != nil { own.setId = known }
        }
      }
      return address
    case .failure(let refusal):
      refuse(refusal, resolver.sessions[session]?.context.complete(own) ?? own, line: line)
      return nil
    }
  }

  mutating func spell(_ own: inout SetIdentity, in session: String) {
    if own.sessionId != nil, let known = resolver.sessions[session]?.spelling {
      own.sessionId = known
    }
    if let id = own.exerciseId, let name = resolver.sessions[session]?.spelling {
      own.exerciseId = spellings.exercise(id, session: session, named: name)
    }
  }

  /// Records the spelling of a session in the first accepted message that names it.
  mutating func noteSpelling(_ own: SetIdentity, of session: String) {
    guard let id = own.sessionId, resolver.sessions[session]?.spelling == nil else { return }
    resolver.change(session) { $0.spelling = id }
  }

  /// Moves a set that began without a session to the one that names it.
  mutating func adopt(_ address: SessionResolver.Address) {
    guard address.key.session.isEmpty, address.key.session != address.session,
      address.key.isDeclaredSet, let entry = registry[address.key],
      entry.session != address.session
    else { return }
    registry.move(address.key, to: address.session)
    if resolver.sessions[address.session]?.hasDeclaredSets != true {
      declareSets(in: address.session)
    }
  }

  /// Drops a message for a set or session that a person deleted.
  ///
  /// - Returns: Whether the message was dropped.
  mutating func dropIfDeleted(
    _ address: SessionResolver.Address, messageId: String?, chunk: RoutedMessage.Source? = nil,
    line: Int
  ) -> Bool {
    guard resolver.isDeleted(address) else { return false }
    if registry[address.key] != nil {
      add(.drop, address.key, address.identity)
      registry.remove(address.key)
    }
    warn("deleted", "what this belongs to was deleted: it is dropped", address.identity, line: line)
    guard let chunk else {
      acknowledge(messageId, address.identity, line: line)
      return true
    }
    guard options.keepsJournal else { return true }
    emit(
      StreamEvent(
        .ack(
          chunkId: chunk.chunkId, sha256: chunk.chunkId == nil ? chunk.sha256 : nil, messageId: nil),
        identity: address.identity, line: line))
    return true
  }

  // MARK: - Chunks and readings

  mutating func route(_ chunk: DecodedChunk, _ source: RoutedMessage.Source) {
    var own = chunk.identity
    guard
      let session = session(of: own, hash: source.messageHash, isUnique: true, line: source.line)
    else { return }
    settle(resolver.verdict(onChunk: own, hash: source.messageHash, in: session))
    guard
      let address = address(&own, in: session, line: source.line, hash: source.messageHash)
    else { return }
    var source = source
    source.chunkId = chunk.chunkId
    if dropIfDeleted(address, messageId: nil, chunk: source, line: source.line) { return }
    if refuseIfForgotten(address, line: source.line) { return }
    var chunk = chunk
    chunk.phase = address.place.map(\.phase) ?? address.context.phase(of: chunk)
    chunk.identity = address.identity
    guard receive(chunk.samples.count, own, address, source) else { return }
    if own.setId == nil || own.sessionId == nil, address.place == nil {
      resolver.note(
        .init(hash: source.messageHash, key: address.key, phase: chunk.phase), of: own,
        in: session)
    }
    add(.chunk(chunk), address.key, chunk.identity, source: source)
  }

  mutating func route(_ health: HealthMessage, _ source: RoutedMessage.Source) {
    var own = health.identity
    guard
      let session = session(of: own, hash: source.messageHash, isUnique: true, line: source.line)
    else { return }
    settle(resolver.verdict(onChunk: own, hash: source.messageHash, in: session))
    guard
      let address = address(&own, in: session, line: source.line, hash: source.messageHash)
    else { return }
    if dropIfDeleted(address, messageId: health.messageId, line: source.line) { return }
    if refuseIfForgotten(address, line: source.line) { return }
    guard receive(1, own, address, source) else { return }
    if own.setId == nil || own.sessionId == nil, address.place == nil {
      resolver.note(.init(hash: source.messageHash, key: address.key), of: own, in: session)
    }
    add(.health(health.reading), address.key, address.identity, source: source)
    acknowledge(health.messageId, address.identity, line: source.line)
  }

  /// Counts the samples of a message, unless it is a repetition.
  ///
  /// - Returns: False if its set has no room for them.
  mutating func receive(
    _ count: Int, _ own: SetIdentity, _ address: SessionResolver.Address,
    _ source: RoutedMessage.Source
  ) -> Bool {
    let key = address.key
    let isRepeated = registry.isRepeated(
      source.messageHash, of: key, journaled: store.messageHashes)
    guard isRepeated || registry.hasRoom(for: count, in: key) else {
      refuse(
        DecodingFailure.Kind.limitExceeded.rawValue,
        "more than \(options.samplesPerSet) samples of one set or session", address.identity,
        line: source.line)
      return false
    }
    adopt(address)
    resolver.note(own, at: address)
    noteSpelling(own, of: address.session)
    touch(address)
    if !isRepeated { registry.add(count, hash: source.messageHash, to: key) }
    return true
  }
}
