/// Ids as first spelled. Messages compare ids case-insensitively, but a history is case-sensitive.
struct IdSpellings {
  private let store: RouterStore
  /// Exercise ids as spelled in the store, by session and by the id in capitals.
  var exercises: [String: [String: String]] = [:]

  init(_ store: RouterStore) { self.store = store }

  func set(_ id: String, _ session: String) -> String? { store.set(id, session) }

  mutating func exercise(_ id: String, session: String, named name: String) -> String {
    if let known = exercises[session]?[id.uppercased()] { return known }
    let spelling = store.exercise(id, name) ?? id
    // The numbers of exercises and sessions are unlimited, so bound the cache.
    if exercises.count >= 20_000 { exercises = [:] }
    if exercises[session]?.count ?? 0 >= 1_000 { exercises[session] = [:] }
    exercises[session, default: [:]][id.uppercased()] = spelling
    return spelling
  }
}
