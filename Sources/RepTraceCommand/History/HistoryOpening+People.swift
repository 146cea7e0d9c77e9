import ArgumentParser
import RepTrace

/// People as named by options. Without `--user`, commands read everybody's data and write the local person's.
extension HistoryOpening {
  static let userHelp = ArgumentHelp(
    "Only a person's, by name, uuid or login id; everybody's if left out.", valueName: "user")
  static let oneUserHelp = ArgumentHelp(
    "The person, by name, uuid or login id; the local person if left out.", valueName: "user")

  /// Returns the row of a person; nil for everybody (`*`, or no name).
  static func user(_ reference: String?, in history: HistoryStore) throws -> HistoryUser.ID? {
    guard let reference, reference != "*" else { return nil }
    guard let id = try knownUser(reference, in: history) else {
      throw ExitStatus.noInputExists.noting("no person named \"\(reference)\"")
    }
    return id
  }

  /// Returns the person whose data are written.
  static func oneUser(_ reference: String?, in history: HistoryStore) throws -> HistoryUser.ID {
    guard let reference else { return HistoryUser.ID.local }
    guard let id = try user(reference, in: history) else {
      throw ValidationError("--user names one person here")
    }
    return id
  }

  /// Returns the people of ``user(_:in:)``, the local person first.
  static func users(_ reference: String?, in history: HistoryStore) throws -> [HistoryUser.ID] {
    if let one = try user(reference, in: history) { return [one] }
    return try reading { try history.users.all().compactMap(\.id) }
  }

  /// Returns a person by UUID or login id, or else by a name or UUID that differs only in case and accents.
  static func knownUser(_ reference: String, in history: HistoryStore) throws -> HistoryUser.ID? {
    try reading {
      if let id = try history.users.user(HistoryUser.Key(reference))?.id { return id }
      let folded = reference.foldedForSearch
      guard !folded.isEmpty else { return nil }
      let found = try history.users.all().filter {
        $0.name.foldedForSearch == folded || $0.uuid.rawValue.foldedForSearch == folded
      }
      guard found.count < 2 else {
        throw ExitCode.validationFailure.noting(
          "\"\(reference)\" may be \(found.count) people: "
            + found.map(\.uuid.rawValue).joined(separator: ", "))
      }
      return found.first?.id
    }
  }

  /// Returns people's names for lists and pages, with the UUID if ambiguous. The local person has none.
  static func names(in history: HistoryStore) throws -> [HistoryUser.ID: String] {
    names(of: try reading { try history.users.all() })
  }

  static func names(of people: [HistoryUser]) -> [HistoryUser.ID: String] {
    let namesakes = Dictionary(grouping: people, by: \.name)
    var names: [HistoryUser.ID: String] = [:]
    for person in people {
      guard let id = person.id, id != HistoryUser.ID.local else { continue }
      let isAlone = namesakes[person.name]?.count == 1
      names[id] = isAlone ? person.name : "\(person.name) (\(person.uuid))"
    }
    return names
  }
}
