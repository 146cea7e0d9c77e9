import RecordingInput

/// The keys of one session that are in memory. Finding those that a message is about costs no more
/// than they are many.
struct SessionMembers {
  /// Under way, by exercise (in capitals, empty where it is not known).
  private(set) var live: [String: Set<StreamKey>] = [:]
  /// Ended, and extended since they were saved.
  var extended: Set<StreamKey> = []
  /// All of them.
  var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func insertLive(_ key: StreamKey, exercise: String?) {
    live[exercise?.uppercased() ?? "", default: []].insert(key)
  }

  mutating func removeLive(_ key: StreamKey, exercise: String?) {
    let exercise = exercise?.uppercased() ?? ""
    live[exercise]?.remove(key)
    if live[exercise]?.isEmpty == true { live[exercise] = nil }
  }
}
