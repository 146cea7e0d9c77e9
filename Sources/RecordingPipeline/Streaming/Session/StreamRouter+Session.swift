import Motion
import RecordingInput

/// The limits of a session that is kept as bytes.
extension StreamRouter {
  /// Refuses a message for a set that has ended and is no longer in memory, since it would start another set.
  mutating func refuseIfForgotten(_ address: SessionResolver.Address, line: Int) -> Bool {
    guard options.isSession, registry[address.key] == nil, resolver.hasEnded(address) else {
      return false
    }
    refuse(
      "tooLate", "the set ended too long ago: its samples are no longer kept", address.identity,
      line: line)
    return true
  }

  /// Ends all open sets and saves the extensions of the others.
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

  /// Ends all sets and releases their samples.
  mutating func forgetSets() {
    endOpenSets()
    for key in registry.inOrder(Array(registry.entries.keys)) { forget(key) }
    for session in resolver.sessions.keys { resolver.change(session) { $0.isForgotten = true } }
  }

  /// Releases a set's samples.
  mutating func forget(_ key: StreamKey) {
    add(.forget, key, registry[key]?.identity ?? SetIdentity())
    registry.remove(key)
    guard options.isSession, case .session(let session) = key else { return }
    resolver.change(session) { $0.isForgotten = true }
  }
}

extension SessionResolver {
  /// Returns whether the set at an address has ended, or its session has ended and was released.
  func hasEnded(_ address: Address) -> Bool {
    switch address.key {
    case .set(_, let id): sets.hasEnded(id, in: address.session)
    // The address of a numbered set other than the open one always comes from a repeated or late chunk.
    case .numberedSet: address.place != nil
    case .session(let session):
      // All samples may arrive after the end of the workout.
      sessions[session].map { $0.life == .over && $0.isForgotten } ?? false
    }
  }
}
