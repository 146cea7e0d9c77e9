import RepTrace

extension HistoryOpening {
  /// Returns all people's known movements, by UUID and login id in capitals; the owner's also by "".
  static func knownMovements(in store: HistoryStore) throws -> [String: KnownMovements] {
    try reporting {
      var result: [String: KnownMovements] = [:]
      for user in try store.users.all() {
        guard let id = user.id else { continue }
        let known = try KnownMovements(store, user: id)
        if known.isEmpty { continue }
        if id == HistoryUser.ID.local { result[""] = known }
        for name in [user.uuid, user.providerId] {
          if let name { result[name.rawValue.uppercased()] = known }
        }
      }
      return result
    }
  }

  /// Learns known movements from the sets in a history. Skips people while another program writes to it.
  ///
  /// - Parameter user: A person; nil for all people.
  static func learnMovements(
    in store: HistoryStore, user: HistoryUser.ID? = nil, fromScratch: Bool = false
  ) throws {
    try reporting {
      let users = try user.map { [$0] } ?? store.users.all().compactMap(\.id)
      for user in users {
        do {
          try MovementLearner().learn(store, user: user, fromScratch: fromScratch)
        } catch HistoryError.busy where !fromScratch {}
      }
    }
  }
}
