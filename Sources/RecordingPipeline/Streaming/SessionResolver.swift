import ChunkDecoding
import Motion
import RecordingInput

/// Finds the session, set and phase of each message, and detects repeated control messages.
///
/// Its state depends only on the messages so far, not on clocks, batches, memory limits or a store. The
/// caller loads what a store has: the facts of a session before its first message (``load(_:as:)``), and
/// the keys that people deleted (``deleted``).
struct SessionResolver: Codable {
  /// The session and the set of a message.
  struct Address: Equatable {
    var session: String
    var key: StreamKey
    /// The message's ids, completed from the context of its session.
    var identity: SetIdentity
    var context: SetContext
    /// The place of a repeated chunk, if it names no set.
    var place: SessionFacts.Place?
  }

  private(set) var sessions: [String: SessionFacts] = [:]
  /// The session to which messages without a session belong.
  private(set) var current = ""
  /// Sessions whose facts have changed since ``takeChanged()``.
  private var changed: Set<String> = []
  private var openSessions: Set<String> = []
  /// The sessions that each person started and has not left, by person in capitals.
  var startedSessions: [String: Set<String>] = [:]
  private(set) var sets = SessionSets()
  /// Sessions whose messages may be repeated since the restart.
  private var replays: [String: ControlReplay] = [:]
  private var resumesRuns = false
  /// Sessions to which messages without a session belonged before a restart, newest first, and the one
  /// whose messages are being repeated.
  private var earlier: [String] = []
  private var repeated: String?
  private var unnamed: UnnamedReplay?
  private(set) var deleted = DeletedKeys()

  /// A ``StreamSession`` has no store and no earlier runs, so their state is not encoded.
  private enum CodingKeys: CodingKey {
    case sessions, current, openSessions, startedSessions, sets
  }

  /// Chosen because a sender that repeats messages goes back a session or two.
  private static let earlierSessionsAtMost = 4

  /// - Parameter resumesRuns: Whether there may have been earlier runs, whose last messages may be repeated.
  init(resumesRuns: Bool = false) { self.resumesRuns = resumesRuns }

  // MARK: - Sessions

  /// Loads the facts of a session from an earlier run.
  mutating func load(_ facts: SessionFacts, as session: String) {
    guard sessions[session] == nil else { return }
    sessions[session] = facts
    if facts.life == .open, !session.isEmpty {
      openSessions.insert(session)
      startedSessions[facts.person?.uppercased() ?? "", default: []].insert(session)
    }
    if resumesRuns, !facts.log.isEmpty { replays[session] = .possible }
  }

  /// Loads the session to which messages without a session belong, and those before it.
  mutating func load(current: String, facts: (String) -> SessionFacts?) {
    self.current = current
    var next = sessions[current]?.previous
    while let session = next, session != current, !earlier.contains(session),
      earlier.count < Self.earlierSessionsAtMost, let known = sessions[session] ?? facts(session)
    {
      load(known, as: session)
      earlier.append(session)
      next = known.previous
    }
    if resumesRuns, !earlier.isEmpty {
      unnamed = UnnamedReplay(sessions: earlier.reversed() + [current])
    }
  }

  /// Returns the session of a repeated message without a session from before a restart; nil for a new one.
  ///
  /// - Parameter isUnique: True if an honest sender writes these bytes only once.
  mutating func sessionBefore(of own: SetIdentity, hash: UInt64, isUnique: Bool) -> String? {
    guard own.sessionId == nil, !earlier.isEmpty, openSessions.count <= 1 else { return nil }
    if let repeated, sessions[repeated]?.has(hash) == true { return repeated }
    repeated = nil
    if sessions[current]?.has(hash) == true { return current }
    let namesOther = own.setId.map { !sets.isOpen($0.uppercased(), in: current) } ?? false
    guard isUnique || namesOther else { return nil }
    repeated = earlier.first { sessions[$0]?.has(hash) == true }
    return repeated
  }

  /// Returns the only session to which a message can belong.
  func session(of own: SetIdentity) -> Result<String, Refusal> {
    if let id = own.sessionId { return .success(id.uppercased()) }
    let having = own.setId.map { sets.sessions(having: $0.uppercased()) } ?? []
    if openSessions.count > 1 {
      guard let only = having.first else { return .failure(.unnamedSession) }
      return having.count == 1 ? .success(only) : .failure(.ambiguousSet)
    }
    var session = current
    if !session.isEmpty, !openSessions.contains(session), let only = openSessions.first {
      session = only
    }
    guard let id = own.setId?.uppercased(), !having.contains(session) else {
      return .success(session)
    }
    if having.count > 1 { return .failure(.ambiguousSet) }
    return .success(having.first ?? (session.isEmpty ? sets.formerSession(of: id) : nil) ?? session)
  }

  /// Records that a message names a session. `endWorkout` closes it permanently.
  mutating func noteNamed(_ id: String, isControl: Bool) {
    let session = id.uppercased()
    if sessions[session] == nil { change(session) { _ in } }
    if sessions[session]?.life != .over { openSessions.insert(session) }
    if sessions[session]?.life == .left {
      change(session) { $0.life = .open }
      startedSessions[sessions[session]?.person?.uppercased() ?? "", default: []].insert(session)
    }
    guard isControl else { return }
    repeated = nil
    guard current != session else { return }
    changed.formUnion([current, session])
    if !current.isEmpty, sessions[session]?.previous == nil {
      sessions[session]?.previous = current
    }
    current = session
  }

  mutating func change(_ session: String, _ body: (inout SessionFacts) -> Void) {
    var facts = sessions[session] ?? SessionFacts()
    body(&facts)
    guard sessions[session] != facts else { return }
    sessions[session] = facts
    changed.insert(session)
  }

  /// Leaves the person's other sessions, since a person has one workout at a time.
  mutating func leaveOthers(than session: String) {
    guard sessions[session]?.life == .open else { return }
    let person = sessions[session]?.person?.uppercased() ?? ""
    for other in startedSessions[person] ?? [] where other != session {
      guard sessions[other]?.life == .open else { continue }
      change(other) { $0.life = .left }
      openSessions.remove(other)
    }
    startedSessions[person] = [session]
  }

  // MARK: - Addresses

  private func context(of session: String) -> SetContext {
    if let context = unnamed?.context(of: session, sessions) { return context }
    if case .at(let index, _) = replays[session], let log = sessions[session]?.log,
      log.indices.contains(index)
    {
      return log[index].context
    }
    return sessions[session]?.context ?? SetContext()
  }

  /// - Parameters:
  ///   - own: The ids that the message names itself.
  ///   - session: The result of ``session(of:)``.
  ///   - hash: The hash of a chunk.
  func address(
    _ own: SetIdentity, in session: String, hash: UInt64? = nil
  ) -> Result<Address, Refusal> {
    guard sessions[session]?.isContested != true else { return .failure(.contestedSession) }
    let context = context(of: session)
    var identity = context.complete(own)
    var key = context.key(for: identity, session: session)
    if own.exerciseId == nil, let id = identity.setId?.uppercased() {
      // The session's exercise may have changed. A set that was opened without an exercise gets the new one.
      let isCurrent = id == context.complete(SetIdentity()).setId?.uppercased()
      if let known = sets.knownExercise(of: id, in: session), known != nil || !isCurrent {
        identity.exerciseId = known
      }
    }
    var place: SessionFacts.Place?
    if own.setId == nil, let hash, !isReplaying(session) {
      place = sessions[session]?.places.last { $0.hash == hash }
    }
    if let place {
      key = place.key
      identity.setId = nil
      if case .set(_, let id) = key { identity.setId = id }
    }
    if case .set(_, let id) = key, !session.isEmpty, sets.isUnnamed(id, in: session) {
      key = .set(session: "", id: id)
    }
    return .success(
      Address(session: session, key: key, identity: identity, context: context, place: place))
  }

  func isDeleted(_ address: Address) -> Bool {
    deleted.contains(address.key, session: address.session)
  }

  // MARK: - Sets

  /// Records that a chunk or reading was received.
  mutating func note(_ own: SetIdentity, at address: Address) {
    if let id = own.sessionId { noteNamed(id, isControl: false) }
    if sessions[address.session] == nil { sessions[address.session] = SessionFacts() }
    noteMember(address)
    if case .numberedSet = address.key, sessions[address.session]?.emptyAnonymousStart != nil {
      change(address.session) { $0.emptyAnonymousStart = nil }
    }
  }

  /// Records the place of a message that names no set or no session.
  mutating func note(_ place: SessionFacts.Place, of own: SetIdentity, in session: String) {
    guard let facts = sessions[session], !isReplaying(session), !facts.has(place.hash) else {
      return
    }
    sessions[session]?.note(place)
    // Other places are written with the next change; until then such a message is assigned there anyway.
    if own.sessionId == nil { changed.insert(session) }
    if own.setId == nil, let last = sessions[session]?.log.indices.last,
      sessions[session]?.log[last].firstChunk == nil
    {
      change(session) { $0.log[last].firstChunk = place.hash }
    }
  }

  /// Records a set as open, unless it has ended.
  mutating func noteMember(_ address: Address) {
    guard case .set(let session, let id) = address.key else { return }
    if session.isEmpty {
      sets.noteUnnamed(id, in: address.session)
      if address.session.isEmpty { return }
    }
    sets.open(id, in: address.session, exercise: address.identity.exerciseId)
  }

  /// Loads a set from an earlier run.
  mutating func loadSet(
    _ id: String, in session: String, key: StreamKey, exercise: String?, isEnded: Bool
  ) {
    if key.session.isEmpty { sets.noteUnnamed(id, in: session) }
    guard !session.isEmpty else { return }
    if isEnded {
      sets.noteEnded(id, in: session)
    } else {
      sets.open(id, in: session, exercise: exercise)
    }
  }

  private mutating func close(_ ids: [String], in session: String) {
    for id in ids { sets.close(id, in: session, isAlone: current.isEmpty) }
  }

  // MARK: - Control messages

  /// Applies a control message to its session.
  ///
  /// - Parameters:
  ///   - control: The message, with ids as they are spelled.
  ///   - address: The address before the message.
  /// - Returns: The message's ids, completed from the context after it.
  mutating func apply(_ control: ControlMessage, hash: UInt64, at address: Address) -> SetIdentity {
    let session = address.session
    // A correction may be about a set that ended long ago, so it does not show the current context.
    if control.kind != .correctSet, let id = control.identity.sessionId {
      noteNamed(id, isControl: true)
    }
    change(session) { facts in
      facts.context.apply(control)
      if let date = control.unixTime { facts.controlUnixTime = date }
      if control.kind == .startSet, control.identity.setId == nil {
        facts.emptyAnonymousStart = hash
      }
      switch control.kind {
      case .startWorkout: facts.life = .open
      case .endWorkout: facts.life = .over
      default: break
      }
      guard control.kind != .correctSet else { return }
      facts.note(
        .init(
          hash: hash, context: facts.context,
          namesSession: control.identity.sessionId == nil ? nil : true))
    }
    switch control.kind {
    case .startWorkout:
      if !session.isEmpty { openSessions.insert(session) }
      leaveOthers(than: session)
    case .endSet:
      if case .set(_, let id) = address.key { close([id], in: session) }
    case .endExercise:
      let exercise = control.identity.exerciseId?.uppercased()
      close(sets.open(in: session, exercise: exercise), in: session)
    case .endWorkout:
      close(sets.open(in: session), in: session)
      openSessions.remove(session)
    case .startSet, .startExercise, .correctSet, .updatePhase, .phaseChangeDetected: break
    }
    return sessions[session]?.context.complete(control.identity) ?? control.identity
  }

  // MARK: - Repetitions

  private func isReplaying(_ session: String) -> Bool {
    if case .at = replays[session] { return true }
    return unnamed?.isReplaying(session) ?? false
  }

  /// Decides whether a control message is a repetition, or holds it until that is clear.
  mutating func verdict(on message: HeldControl) -> ControlReplay.Verdict {
    let session = message.session
    let facts = sessions[session] ?? SessionFacts()
    let isUnnamed = message.control.identity.sessionId == nil && unnamed != nil
    if message.control.kind == .startSet, message.control.identity.setId == nil,
      facts.emptyAnonymousStart == message.hash, !isReplaying(session),
      isUnnamed ? unnamed?.replay.isOver != false : replays[session] == nil
    {
      // Repeated before the set's first sample, it means the same set; after that set, it means another one.
      return .init(isRepeated: true)
    }
    var verdict = ControlReplay.Verdict()
    if isUnnamed {
      verdict = unnamed?.take(message, sessions) ?? verdict
    } else if var replay = replays[session] {
      verdict = replay.take(message, log: facts.log)
      replays[session] = replay.isOver ? nil : replay
    }
    if !verdict.isHeld, message.isDated, message.control.kind != .startWorkout,
      facts.log.contains(where: { $0.hash == message.hash })
    {
      verdict.isRepeated = true
    }
    return verdict
  }

  /// Decides about held control messages when a chunk or reading of their session arrives.
  mutating func verdict(
    onChunk own: SetIdentity, hash: UInt64?, in session: String
  ) -> ControlReplay.Verdict {
    if own.sessionId == nil, unnamed != nil {
      return unnamed?.takeChunk(hash, of: session, namesSet: own.setId != nil, sessions) ?? .init()
    }
    guard var replay = replays[session], let facts = sessions[session] else { return .init() }
    let segment = own.setId == nil ? hash.flatMap { facts.segment(ofChunk: $0) } : nil
    let verdict = replay.takeChunk(after: segment, namesSet: own.setId != nil, log: facts.log)
    replays[session] = replay.isOver ? nil : replay
    return verdict
  }

  /// Decides about all held control messages at the end of the input.
  mutating func finalVerdicts() -> [ControlReplay.Verdict] {
    var verdicts = replays.sorted { $0.key < $1.key }.map { session, replay in
      var replay = replay
      return replay.takeRest(log: sessions[session]?.log ?? [])
    }
    replays = [:]
    if let verdict = unnamed?.takeRest(sessions) { verdicts.append(verdict) }
    unnamed = nil
    return verdicts
  }

  // MARK: - Upkeep

  /// Removes and returns the sessions whose facts have changed, in order.
  mutating func takeChanged() -> [String] {
    defer { changed = [] }
    return changed.sorted()
  }

  mutating func noteChanged(_ session: String) { changed.insert(session) }

  /// Records deletions by people. Removes sessions that were deleted as a whole.
  mutating func note(_ deleted: DeletedKeys) {
    self.deleted = deleted
    for session in sessions.keys where deleted.containsAll(of: session) {
      forget(session)
      changed.remove(session)
      if current == session { current = "" }
    }
  }

  /// Evicts a session whose facts are in a store or were lost, unless they have just changed.
  mutating func forgetIfUnchanged(_ session: String) {
    if session != current, !changed.contains(session) { forget(session) }
  }

  private mutating func forget(_ session: String) {
    sessions[session] = nil
    openSessions.remove(session)
    sets.forget(session)
    replays[session] = nil
  }
}
