import RecordingInput

/// The keys of one session that are in memory. A lookup costs time proportional to the number of its results.
struct SessionMembers {
  /// Open sets by exercise, in capitals; empty if unknown.
  private(set) var live: [String: Set<StreamKey>] = [:]
  /// Sets that ended and were extended since they were saved.
  var extended: Set<StreamKey> = []
  /// Number of open and ended sets.
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
