import Motion
import RecordingInput

/// The limits of a session that is kept as bytes.
extension StreamRouter {
  /// Refuses a message for a set that has ended and is no longer in memory: the message alone would be taken
  /// for another set.
  mutating func refuseIfForgotten(_ address: SessionResolver.Address, line: Int) -> Bool {
    guard options.isSession, registry[address.key] == nil, resolver.hasEnded(address) else {
      return false
    }
    refuse(
      "tooLate", "the set ended too long ago: its samples are no longer kept", address.identity,
      line: line)
    return true
  }

  /// Ends all open sets, and hands out what was added to the others.
  mutating func endOpenSets() {
    messageStarts.append(sequence + 1)
    for verdict in resolver.finalVerdicts() { settle(verdict) }
    let keys = registry.entries.keys.filter {
      registry[$0]?.isEnded == false || registry.isExtended($0)
    }
    for key in registry.inOrder(keys) {
      if registry[key]?.isEnded == true { save(key) } else { end(key) }
    }
  }

  /// Ends all sets and lets go of their samples.
  mutating func forgetSets() {
    endOpenSets()
    for key in registry.inOrder(Array(registry.entries.keys)) { forget(key) }
    for session in resolver.sessions.keys { resolver.change(session) { $0.isForgotten = true } }
  }

  /// Lets go of a set's samples.
  mutating func forget(_ key: StreamKey) {
    add(.forget, key, registry[key]?.identity ?? SetIdentity())
    registry.remove(key)
    guard options.isSession, case .session(let session) = key else { return }
    resolver.change(session) { $0.isForgotten = true }
  }
}

extension SessionResolver {
  /// True if the set of an address has ended, or its session has and was forgotten.
  func hasEnded(_ address: Address) -> Bool {
    switch address.key {
    case .set(_, let id): sets.hasEnded(id, in: address.session)
    // Only a repeated chunk, or one that comes late, belongs to a numbered set that is not the open one.
    case .numberedSet: address.place != nil
    case .session(let session):
      // All samples may come after the end of the workout.
      sessions[session].map { $0.life == .over && $0.isForgotten } ?? false
    }
  }
}
