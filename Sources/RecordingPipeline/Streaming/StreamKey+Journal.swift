import RecordingInput
import WorkoutHistory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StreamKey {
  /// The key of what a journal has kept; nil for a name that no program gives.
  ///
  /// Older programs named a set by its id alone.
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
    } else if let range = set.key.ranges(of: " set #").last {
      self = .numberedSet(
        session: String(set.key[..<range.lowerBound].dropFirst("session ".count)),
        number: Int(set.key[range.upperBound...]) ?? 0)
    } else {
      return nil
    }
  }
}
