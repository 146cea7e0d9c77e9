import ChunkDecoding

/// A control message as it was received.
struct HeldControl: Equatable {
  var control: ControlMessage
  /// Id of the message's session, in capitals.
  var session: String
  var hash: UInt64
  var line: Int

  /// True if an honest sender writes these bytes only once.
  var isDated: Bool { control.unixTime != nil || control.messageId != nil }

  /// True if a sender writes these bytes at most once within a session.
  fileprivate var isUnique: Bool { isDated || control.identity.setId != nil }
}

/// Recognizes repeated control messages of a session after a restart, using the session's log. A sender may
/// restart at any earlier message, and its bytes alone do not always show whether it was received before.
///
/// Until that is clear, control messages are held. A chunk, a message that is written only once, or the end
/// of the input decides. From then on, each message that comes next in the log is a repetition, and chunks
/// have the context of that place in the log.
enum ControlReplay: Equatable {
  /// No message has come since the restart.
  case possible
  /// Some messages are held. The candidates are the possible places of the last one in the log.
  case undecided(Set<Int>, held: [HeldControl])
  /// The place of the last message in the log. It is unproven while only a known chunk supports it.
  case at(Int, isProven: Bool)
  case over

  struct Verdict: Equatable {
    /// Held messages that are now decided: either all are repetitions, or all are new.
    var held: [HeldControl] = []
    var heldAreRepeated = false
    /// True if the current message is held.
    var isHeld = false
    var isRepeated = false
  }

  var isOver: Bool { self == .over }

  mutating func take(_ message: HeldControl, log: [SessionFacts.LoggedControl]) -> Verdict {
    switch self {
    case .over: return Verdict()
    case .at(let index, _):
      let next = log.indices.dropFirst(index + 1)
      let found =
        next.first == next.first(where: { log[$0].hash == message.hash })
        ? next.first
        : message.isUnique ? next.first { log[$0].hash == message.hash } : nil
      guard let found else {
        self = .over
        return Verdict()
      }
      move(to: found, log)
      return Verdict(isRepeated: true)
    case .possible: return take(message, following: nil, held: [], log: log)
    case .undecided(let candidates, let held):
      return take(message, following: candidates, held: held, log: log)
    }
  }

  private mutating func take(
    _ message: HeldControl, following: Set<Int>?, held: [HeldControl],
    log: [SessionFacts.LoggedControl]
  ) -> Verdict {
    let candidates = Set(
      log.indices.filter {
        log[$0].hash == message.hash && following?.contains($0 - 1) ?? true
      })
    guard let last = candidates.max() else { return settle(held, following ?? [], log) }
    if message.control.kind == .startWorkout {
      // A session begins once, so its repetition does not show whether the messages that follow are repeated.
      self = .undecided(candidates, held: held)
      return Verdict(isRepeated: true)
    }
    if message.isUnique {
      move(to: last, log)
      return Verdict(held: held, heldAreRepeated: true, isRepeated: true)
    }
    self = .undecided(candidates, held: held + [message])
    return Verdict(isHeld: true)
  }

  /// - Parameter segment: For a repeated chunk that names no set, the place in the log of the control
  ///   message that it followed; otherwise nil.
  mutating func takeChunk(after segment: Int?, namesSet: Bool, log: [SessionFacts.LoggedControl])
    -> Verdict
  {
    switch self {
    case .over, .at(_, isProven: true): return Verdict()
    case .possible, .at(_, isProven: false):
      // A chunk that names its set means the same at any place.
      if let segment {
        move(to: segment, log, isProven: false)
      } else if !namesSet {
        self = .over
      }
      return Verdict()
    case .undecided(let candidates, let held):
      if namesSet { return Verdict() }
      guard let segment, candidates.contains(segment) else { return settle(held, candidates, log) }
      move(to: segment, log)
      return Verdict(held: held, heldAreRepeated: true)
    }
  }

  mutating func takeRest(log: [SessionFacts.LoggedControl]) -> Verdict {
    guard case .undecided(let candidates, let held) = self else { return Verdict() }
    return settle(held, candidates, log)
  }

  /// Decides about the held messages. They are repetitions if they can extend to the end of the log and no
  /// chunk followed there: such a chunk would be repeated, too.
  private mutating func settle(
    _ held: [HeldControl], _ candidates: Set<Int>, _ log: [SessionFacts.LoggedControl]
  ) -> Verdict {
    self = .over
    let reachesEnd = candidates.contains(log.count - 1) && log.last?.firstChunk == nil
    return Verdict(held: held, heldAreRepeated: reachesEnd)
  }

  private mutating func move(
    to index: Int, _ log: [SessionFacts.LoggedControl], isProven: Bool = true
  ) {
    self = index == log.count - 1 ? .over : .at(index, isProven: isProven)
  }
}
