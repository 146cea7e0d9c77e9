import ChunkDecoding
import Motion

/// The context established by control messages, which completes messages without ids or phase.
package struct SetContext: Sendable, Hashable, Codable {
  package private(set) var phase: WorkoutPhase?
  private var identity = SetIdentity()
  private var setIsOpen = false
  /// Number of sets started without an id; such sets are numbered instead.
  private var anonymousSets = 0

  package init() {}

  package mutating func apply(_ message: ControlMessage) {
    // A correction may concern a set that ended long ago, so it does not change the context.
    if message.kind == .correctSet { return }
    if let id = message.identity.sessionId { identity.sessionId = id }
    if let id = message.identity.exerciseId { identity.exerciseId = id }
    switch message.kind {
    case .startSet:
      setIsOpen = true
      identity.setId = message.identity.setId
      if identity.setId == nil { anonymousSets += 1 }
      phase = message.phase ?? .execution
    case .endSet:
      // A late end of a set that is not open does not change the context.
      guard concernsOpenSet(message) else { return }
      setIsOpen = false
      identity.setId = nil
      phase = message.phase ?? .rest
    case .startWorkout, .endWorkout, .endExercise:
      setIsOpen = false
      identity.setId = nil
      phase = message.phase
    case .startExercise, .correctSet: break
    case .updatePhase, .phaseChangeDetected:
      if concernsOpenSet(message) { phase = message.phase ?? phase }
    }
  }

  private func concernsOpenSet(_ message: ControlMessage) -> Bool {
    guard setIsOpen, let own = message.identity.setId, let open = identity.setId else {
      return true
    }
    return own.uppercased() == open.uppercased()
  }

  /// Returns a message's ids, completed from the open set.
  package func complete(_ own: SetIdentity) -> SetIdentity {
    SetIdentity(
      sessionId: own.sessionId ?? identity.sessionId,
      exerciseId: own.exerciseId ?? identity.exerciseId,
      setId: own.setId ?? (setIsOpen ? identity.setId : nil))
  }

  /// Returns the phase of a chunk. A chunk without a phase takes that of the context, unless it names its
  /// set: such a chunk may be late, and the phase may have changed.
  package func phase(of chunk: DecodedChunk) -> WorkoutPhase? {
    chunk.phase ?? (chunk.identity.setId == nil ? phase : nil)
  }

  /// Returns the key of a message's set or session, with ids completed from the context.
  ///
  /// - Parameter session: The session's id in capitals; empty if unknown.
  package func key(for own: SetIdentity, session: String) -> StreamKey {
    if let id = own.setId { return .set(session: session, id: id.uppercased()) }
    return setIsOpen
      ? .numberedSet(session: session, number: anonymousSets) : .session(session)
  }
}
