import ChunkDecoding
import Motion

/// What the control messages so far say of the messages that do not say it themselves.
package struct SetContext: Sendable, Hashable, Codable {
  package private(set) var phase: WorkoutPhase?
  private var identity = SetIdentity()
  private var setIsOpen = false
  /// Sets that were started without an id, which get a number instead.
  private var anonymousSets = 0

  package init() {}

  package mutating func apply(_ message: ControlMessage) {
    // It is about a set that may be long over, and says nothing about now.
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
      // The end of another set than the open one comes late, and says nothing about now.
      guard isAboutOpenSet(message) else { return }
      setIsOpen = false
      identity.setId = nil
      phase = message.phase ?? .rest
    case .startWorkout, .endWorkout, .endExercise:
      setIsOpen = false
      identity.setId = nil
      phase = message.phase
    case .startExercise, .correctSet: break
    case .updatePhase, .phaseChangeDetected:
      if isAboutOpenSet(message) { phase = message.phase ?? phase }
    }
  }

  private func isAboutOpenSet(_ message: ControlMessage) -> Bool {
    guard setIsOpen, let own = message.identity.setId, let open = identity.setId else {
      return true
    }
    return own.uppercased() == open.uppercased()
  }

  /// The ids of a message, those that it leaves out taken from the set that is open.
  package func complete(_ own: SetIdentity) -> SetIdentity {
    SetIdentity(
      sessionId: own.sessionId ?? identity.sessionId,
      exerciseId: own.exerciseId ?? identity.exerciseId,
      setId: own.setId ?? (setIsOpen ? identity.setId : nil))
  }

  /// The phase of a chunk as it says itself. A chunk that leaves its set to the context leaves the
  /// phase to it, too; one that names its set may come late, when the phase is another.
  package func phase(of chunk: DecodedChunk) -> WorkoutPhase? {
    chunk.phase ?? (chunk.identity.setId == nil ? phase : nil)
  }

  /// What a message belongs to, its ids completed from what is open.
  ///
  /// - Parameter session: the session's id in capitals, empty where none is known.
  package func key(for own: SetIdentity, session: String) -> StreamKey {
    if let id = own.setId { return .set(session: session, id: id.uppercased()) }
    return setIsOpen
      ? .numberedSet(session: session, number: anonymousSets) : .session(session)
  }
}
