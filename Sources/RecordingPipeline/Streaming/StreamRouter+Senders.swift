import ChunkDecoding
import Motion

/// Messages of authenticated senders.
extension StreamRouter {
  /// Assigns a session permanently to the sender of its first message. A message without a session belongs
  /// to its sender's only open one.
  ///
  /// - Returns: The message with its session; nil if refused: the session is another person's or ambiguous.
  mutating func admit(_ message: StreamMessage, from sender: String?, line: Int) -> StreamMessage? {
    guard let sender else { return message }
    guard let id = message.identity.sessionId ?? resolver.openSession(of: sender) else {
      refuse(
        "ambiguousSession", "the message names no session, and its sender has none or several open",
        message.identity, line: line)
      return nil
    }
    let session = id.uppercased()
    load(session, as: id)
    if let person = resolver.sessions[session]?.person {
      guard person.uppercased() == sender.uppercased() || store.isOnePerson(person, sender) else {
        refuse("ambiguousSession", "the session is another person's", message.identity, line: line)
        return nil
      }
    } else if !options.claimsSession(session, sender) {
      refuse("ambiguousSession", "the session is another person's", message.identity, line: line)
      return nil
    } else if !resolver.deleted.containsAll(of: session) {
      resolver.noteStart(of: session, by: sender, isOnePerson: store.isOnePerson)
      resolver.startedSessions[sender.uppercased(), default: []].insert(session)
    }
    var message = message
    message.identity.sessionId = id
    return message
  }

  /// Returns the person of a session; nil if nobody was named.
  func person(ofSession id: String) -> String? {
    let session = id.uppercased()
    return resolver.sessions[session]?.person ?? store.facts(session)?.person
      ?? store.session(id)?.person
  }
}

extension SessionResolver {
  /// Returns a person's only open session, as first spelled; nil if there is none or several.
  fileprivate func openSession(of person: String) -> String? {
    let open = (startedSessions[person.uppercased()] ?? []).filter { sessions[$0]?.life == .open }
    guard open.count == 1, let session = open.first else { return nil }
    return sessions[session]?.spelling ?? session
  }
}

extension StreamMessage {
  var identity: SetIdentity {
    get {
      switch self {
      case .chunk(let chunk): chunk.identity
      case .control(let control): control.identity
      case .health(let health): health.identity
      }
    }
    set {
      switch self {
      case .chunk(var chunk):
        chunk.identity = newValue
        self = .chunk(chunk)
      case .control(var control):
        control.identity = newValue
        self = .control(control)
      case .health(var health):
        health.identity = newValue
        self = .health(health)
      }
    }
  }
}
