import RecordingInput

/// Recognizes repeated messages without a session, using the logs of the sender's last sessions.
struct UnnamedReplay {
  /// Sessions before a restart, oldest first.
  let sessions: [String]
  var replay = ControlReplay.possible

  typealias Entry = (session: String, control: SessionFacts.LoggedControl)

  /// Returns the logged messages that named no session, in order.
  func log(_ facts: [String: SessionFacts]) -> [Entry] {
    sessions.flatMap { session in
      (facts[session]?.log ?? []).filter { $0.namesSession != true }.map { (session, $0) }
    }
  }

  /// Returns whether messages of a session are being repeated.
  func isReplaying(_ session: String) -> Bool {
    if case .at = replay { sessions.contains(session) } else { false }
  }

  /// Returns the context of the current repeated message, if it belongs to this session.
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
