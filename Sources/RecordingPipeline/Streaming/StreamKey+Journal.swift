import Motion
import RecordingInput
import WorkoutHistory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StreamKey {
  /// Returns the name of a set in the history; nil for the samples of a session.
  ///
  /// - Parameters:
  ///   - identity: The set's ids as they were first spelled.
  ///   - number: The number of a detected set in its session.
  func name(_ identity: SetIdentity, detected number: Int?) -> SetName? {
    let session = identity.sessionId
    return switch self {
    case .set(_, let id): SetName(session: session, key: identity.setId ?? id)
    case .numberedSet(_, let number): SetName(session: session, numbered: number)
    case .session: number.map { SetName(session: session, detected: $0) }
    }
  }

  /// The key of a set without an id, if this key's id is the name of such a set in the history.
  var setWithoutId: StreamKey? {
    guard case .set(let session, let id) = self else { return nil }
    let name = SetName(session: session, key: id.lowercased())
    if name.detectedNumber != nil { return .session(session) }
    return name.declaredNumber.map { .numberedSet(session: session, number: $0) }
  }

  /// Creates the key of a journaled set; nil if the name is invalid.
  init?(_ set: JournalSet) {
    if set.key.hasPrefix("[") {
      let parts = (try? JSONDecoder().decode([String].self, from: Data(set.key.utf8))) ?? []
      guard parts.count == 3 else { return nil }
      switch parts[0] {
      case "set": self = .set(session: parts[1], id: parts[2])
      case "numberedSet": self = .numberedSet(session: parts[1], number: Int(parts[2]) ?? 0)
      default: return nil
      }
    } else if set.kind != .declared {
      self = .session(String(set.key.dropFirst("session ".count)))
    } else if set.key.hasPrefix("set ") {
      self = .set(
        session: set.identity.sessionId?.uppercased() ?? "", id: String(set.key.dropFirst(4)))
    } else {
      return nil
    }
  }
}
