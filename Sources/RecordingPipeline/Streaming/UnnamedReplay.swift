import RecordingInput

/// Follows a sender that repeats messages without a session through the logs of its last sessions.
struct UnnamedReplay {
  /// The sessions before a restart, the oldest first.
  let sessions: [String]
  var replay = ControlReplay.possible

  typealias Entry = (session: String, control: SessionFacts.LoggedControl)

  /// The messages that named no session, in order.
  func log(_ facts: [String: SessionFacts]) -> [Entry] {
    sessions.flatMap { session in
      (facts[session]?.log ?? []).filter { $0.namesSession != true }.map { (session, $0) }
    }
  }

  /// Whether messages of a session are being repeated.
  func isReplaying(_ session: String) -> Bool {
    if case .at = replay { sessions.contains(session) } else { false }
  }

  /// The context of a repeated message, if it is one of this session.
  func context(of session: String, _ facts: [String: SessionFacts]) -> SetContext? {
    guard case .at(let index, _) = replay else { return nil }
    let log = log(facts)
    guard log.indices.contains(index), log[index].session == session else { return nil }
    return log[index].control.context
  }

  mutating func take(
    _ message: HeldControl, _ facts: [String: SessionFacts]
  ) -> ControlReplay.Verdict {
    replay.isOver ? .init() : replay.take(message, log: log(facts).map(\.control))
  }

  mutating func takeChunk(
    _ hash: UInt64?, of session: String, namesSet: Bool, _ facts: [String: SessionFacts]
  ) -> ControlReplay.Verdict {
    if replay.isOver { return .init() }
    var place: Int?
    if !namesSet, let hash, let known = facts[session],
      let index = known.segment(ofChunk: hash), let position = sessions.firstIndex(of: session)
    {
      let before = UnnamedReplay(sessions: Array(sessions[..<position])).log(facts).count
      place = before + known.log[...index].count { $0.namesSession != true } - 1
    }
    return replay.takeChunk(after: place, namesSet: namesSet, log: log(facts).map(\.control))
  }

  mutating func takeRest(_ facts: [String: SessionFacts]) -> ControlReplay.Verdict {
    replay.takeRest(log: log(facts).map(\.control))
  }
}
