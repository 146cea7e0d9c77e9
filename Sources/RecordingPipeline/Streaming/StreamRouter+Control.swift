import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// Control messages.
extension StreamRouter {
  /// Routes the control messages that are now decided.
  mutating func settle(_ verdict: ControlReplay.Verdict) {
    for held in verdict.held { apply(held, isRepeated: verdict.heldAreRepeated) }
  }

  mutating func route(_ control: ControlMessage, hash: UInt64, line: Int) {
    let isDated = control.unixTime != nil || control.messageId != nil
    guard
      let session = session(of: control.identity, hash: hash, isUnique: isDated, line: line)
    else { return }
    let message = HeldControl(control: control, session: session, hash: hash, line: line)
    if control.kind == .correctSet { return apply(message, isRepeated: false) }
    let verdict = resolver.verdict(on: message)
    settle(verdict)
    guard verdict.isHeld else { return apply(message, isRepeated: verdict.isRepeated) }
    if let id = control.identity.sessionId { resolver.noteNamed(id, isControl: true) }
  }

  mutating func apply(_ message: HeldControl, isRepeated: Bool) {
    let (session, line, kind) = (message.session, message.line, message.control.kind)
    var own = message.control.identity
    if kind == .startWorkout, !resolver.deleted.containsAll(of: session),
      let person = message.control.details.userId, HistoryRules.isName(person)
    {
      resolver.noteStart(of: session, by: person, isOnePerson: store.isOnePerson)
    }
    guard let address = address(&own, in: session, line: line) else { return }
    if isRepeated {
      if let id = own.sessionId { resolver.noteNamed(id, isControl: true) }
      if kind == .startWorkout { resolver.leaveOthers(than: session) }
      return acknowledge(message.control.messageId, address.identity, line: line)
    }
    if dropIfDeleted(address, messageId: message.control.messageId, line: line) { return }
    if kind == .endSet, own.setId != nil, !knowsSet(address) {
      return refuse(
        "unknownSet", "endSet of a set that nobody started", address.identity, line: line)
    }
    if kind == .correctSet, own.setId != nil, !canCorrect(address) {
      return refuse("unknownSet", "correctSet of an unknown set", address.identity, line: line)
    }
    adopt(address)
    noteSpelling(own, of: session)
    var control = message.control
    control.identity = own
    let after = resolver.apply(control, hash: message.hash, at: address)
    if options.keepsJournal { noteWorkoutStep(control, address, after: after, line: line) }
    if [.updatePhase, .phaseChangeDetected].contains(kind), control.phase == nil {
      warn(
        "control", "\(kind.rawValue) names neither execution nor rest: ignored", address.identity,
        line: line)
    }
    takeEffect(control, address, line: line)
    acknowledge(control.messageId, after, line: line)
  }

  func knowsSet(_ address: SessionResolver.Address) -> Bool {
    if registry[address.key] != nil { return true }
    guard let id = address.identity.setId, let session = address.identity.sessionId else {
      return false
    }
    return store.set(id, session) != nil
  }

  /// Returns whether a correction's set may exist, including a set without an id by its name in the history.
  private func canCorrect(_ address: SessionResolver.Address) -> Bool {
    // A ``StreamSession`` does not know which sets its caller has stored.
    if options.isSession || registry[address.key] != nil { return true }
    if let key = address.key.setWithoutId, let entry = registry[key], !entry.isEnded { return true }
    guard let id = address.identity.setId else { return false }
    return store.hasSet(id, address.identity.sessionId ?? "")
  }

  /// Resolves a correction's `setId` that is an event's `setKey` to the ids of the session and the set.
  func identified(_ message: StreamMessage) -> StreamMessage {
    guard case .control(let control) = message, control.kind == .correctSet,
      let id = control.identity.setId, id.utf8.contains(UInt8(ascii: "/"))
    else { return message }
    let (own, name) = (control.identity.sessionId, SetName(globalKey: id))
    // A set id may contain a slash itself.
    let isId = own.map { own in
      registry[.set(session: own.uppercased(), id: id.uppercased())] != nil
        || store.hasSet(id, own)
    }
    guard isId != true, own.map({ $0.uppercased() == name.session.uppercased() }) ?? true,
      !name.session.isEmpty
    else { return message }
    var message = message
    message.identity.sessionId = name.session
    message.identity.setId = name.key
    return message
  }

  mutating func noteWorkoutStep(
    _ control: ControlMessage, _ address: SessionResolver.Address, after: SetIdentity, line: Int
  ) {
    guard let action = WorkoutAction(control, before: address.identity, after: after) else {
      if control.kind == .correctSet || control.kind == .endSet && control.details.reps != nil {
        warn(
          "control", "what it says is not kept: it names no set of a session", address.identity,
          line: line)
      }
      return
    }
    // Kept corrections come before the statements of the set's end.
    if control.kind == .endSet { releaseCorrection(of: address.key) }
    if !holdsCorrection(control, of: address.key, line: line) {
      addStep(action, of: address.session, line: line)
    }
  }

  mutating func takeEffect(
    _ control: ControlMessage, _ address: SessionResolver.Address, line: Int
  ) {
    let session = address.session
    switch control.kind {
    case .startSet:
      var own = control.identity
      guard let opened = self.address(&own, in: session, line: line) else { return }
      saveExtended(inSession: session, except: opened.key)
      adopt(opened)
      resolver.noteMember(opened)
      touch(opened)
      add(.open, opened.key, opened.identity)
      remember(control, of: opened.key, line: line)
    case .endSet:
      guard address.key.isDeclaredSet else {
        return warn("control", "endSet without a set that is open", address.identity, line: line)
      }
      touch(address)
      end(address.key)
    case .endExercise:
      let keys =
        control.identity.exerciseId.map { registry.liveKeys(of: session, exercise: $0) }
        ?? registry.liveKeys(of: session)
      end(keys.filter(\.isDeclaredSet))
    case .endWorkout:
      end(registry.liveKeys(of: session))
      saveExtended(inSession: session)
      endedSessions.insert(session)
    case .startWorkout, .startExercise, .correctSet, .updatePhase, .phaseChangeDetected: break
    }
  }
}
