import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// Sets and sessions in memory.
extension StreamRouter {
  mutating func add(
    _ operation: RoutedMessage.Operation, _ key: StreamKey, _ identity: SetIdentity,
    kind: JournalSet.Kind = .declared, source: RoutedMessage.Source? = nil
  ) {
    sequence += 1
    let entry = registry[key]
    let session = resolver.sessions[entry?.session ?? ""]
    messages.append(
      RoutedMessage(
        sequence: sequence, key: key, kind: entry?.kind ?? kind, identity: identity,
        operation: operation, person: session?.person, controlUnixTime: session?.controlUnixTime,
        source: source))
  }

  /// Brings a set into memory if needed, and records a message for it.
  mutating func touch(_ address: SessionResolver.Address) {
    let (key, session) = (address.key, address.session)
    let hasDeclared = resolver.sessions[session]?.hasDeclaredSets ?? false
    let kind: JournalSet.Kind = key.isDeclaredSet ? .declared : hasDeclared ? .rest : .found
    let isNew = registry.touch(key, kind: kind, identity: address.identity, session: session)
    if isNew, key.isDeclaredSet, !hasDeclared { declareSets(in: session) }
  }

  mutating func declareSets(in session: String) {
    resolver.change(session) { $0.hasDeclaredSets = true }
    let key = StreamKey.session(session)
    if let entry = registry[key] {
      guard entry.kind == .found else { return }
      registry.becomeRest(key)
      add(.becomeRest, key, entry.identity)
    } else if options.keepsJournal {
      // An earlier run may have detected sets in this session.
      let identity = SetIdentity(sessionId: resolver.sessions[session]?.spelling ?? session)
      add(.becomeRest, key, identity, kind: .found)
    }
  }

  mutating func end(_ key: StreamKey, by operation: RoutedMessage.Operation = .end) {
    guard let entry = registry[key], !entry.isEnded else { return }
    add(operation, key, entry.identity)
    registry.end(key)
    releaseStart(of: key)
  }

  /// Ends sets in the order in which they began.
  mutating func end(_ keys: [StreamKey]) {
    for key in registry.inOrder(keys) { end(key) }
  }

  /// Saves the ended sets of a session that were extended since.
  mutating func saveExtended(inSession session: String, except open: StreamKey? = nil) {
    for key in registry.inOrder(registry.extendedKeys(of: session)) where key != open { save(key) }
  }

  mutating func save(_ key: StreamKey) {
    guard let entry = registry[key] else { return }
    add(.save, key, entry.identity)
    registry.noteSaved(key)
  }

  /// Finalizes or saves up to `limit` of the sets in memory at the end of the input, in the order in which
  /// they began. No message may be routed afterwards.
  ///
  /// - Returns: Whether there were any.
  mutating func endOldest(limit: Int) -> Bool {
    let isFirst = unfinished == nil
    if isFirst {
      for verdict in resolver.finalVerdicts() { settle(verdict) }
      for (session, facts) in resolver.sessions where !facts.places.isEmpty {
        resolver.noteChanged(session)
      }
    }
    var keys =
      unfinished
      ?? registry.inOrder(
        registry.entries.keys.filter { registry[$0]?.isEnded == false || registry.isExtended($0) }
      ).reversed()
    let next = keys.suffix(limit)
    keys.removeLast(next.count)
    unfinished = keys
    for key in next.reversed() {
      messageStarts.append(sequence + 1)
      if registry[key]?.isEnded == true { save(key) } else { end(key, by: .cut) }
    }
    return !next.isEmpty || isFirst && !(events.isEmpty && workoutSteps.isEmpty)
  }

  mutating func enforceLimits() {
    while let order = registry.nextOrder() {
      switch order {
      case .finalize(let key, let reason):
        warn(
          "limit", "finalized early: \(reason) are under way", registry[key]?.identity ?? .init())
        end(key)
      case .save(let key): save(key)
      case .forget(let key): forget(key)
      }
    }
    registry.compact()
    forgetIdleSessions()
  }

  /// Evicts the least recently active sessions; with a store, once it is certain to have their facts.
  mutating func forgetIdleSessions() {
    let limit = registry.sessionLimit
    guard resolver.sessions.count > limit + limit / 4 else { return }
    let idle = resolver.sessions.keys.filter { session in
      !registry.hasMembers(session)
        && (!options.keepsJournal || (sessionUses[session]?.batch ?? 0) + 6 <= registry.batch)
    }.sorted { (sessionUses[$0]?.use ?? 0) < (sessionUses[$1]?.use ?? 0) }
    for session in idle.prefix(resolver.sessions.count - limit) {
      resolver.forgetIfUnchanged(session)
      sessionUses[session] = nil
    }
  }
}
