import RecordingInput

/// Sets and sessions of a stream that people deleted.
struct DeletedKeys: Equatable {
  /// Deleted names by session in capitals: set ids in capitals, other keys' names, "" for the whole session.
  private var names: [String: Set<String>] = [:]

  mutating func insert(session: String, name: String) {
    names[session.uppercased(), default: []].insert(name)
    names[session.uppercased(), default: []].insert(name.uppercased())
  }

  func containsAll(of session: String) -> Bool { names[session]?.contains("") ?? false }

  func contains(_ key: StreamKey, session: String) -> Bool {
    guard let names = names[session] else { return false }
    if names.contains("") { return true }
    if case .set(_, let id) = key { return names.contains(id) }
    return names.contains(key.text)
  }
}
