/// Ids as they were first spelled: messages compare them without regard to case, a history with it.
struct IdSpellings {
  private let store: RouterStore
  /// The ids of a session's exercises in the store, by the same in capitals.
  var exercises: [String: [String: String]] = [:]

  init(_ store: RouterStore) { self.store = store }

  func set(_ id: String, _ session: String) -> String? { store.set(id, session) }

  mutating func exercise(_ id: String, session: String, named name: String) -> String {
    if let known = exercises[session]?[id.uppercased()] { return known }
    let spelling = store.exercise(id, name) ?? id
    // A session may name any number of them, and a stream any number of sessions.
    if exercises.count >= 20_000 { exercises = [:] }
    if exercises[session]?.count ?? 0 >= 1_000 { exercises[session] = [:] }
    exercises[session, default: [:]][id.uppercased()] = spelling
    return spelling
  }
}
