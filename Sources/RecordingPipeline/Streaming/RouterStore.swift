import RecordingInput
import WorkoutHistory

/// What a store knows of messages before those that a router has seen. Where it cannot be read nothing is
/// known; whoever reads the same for its samples says so.
struct RouterStore {
  /// The facts of a session of an earlier run, or one that was forgotten meanwhile; its id in capitals.
  var facts: (_ session: String) -> SessionFacts? = { _ in nil }
  /// A session's id as the store spells it, and who owns it; no person where that is the store's owner.
  var session: (_ id: String) -> (id: String, person: String?)? = { _ in nil }
  /// Whether two names are one person's.
  var isOnePerson: (_ name: String, _ other: String) -> Bool = { _, _ in false }
  /// A set's id, and an exercise's, as their session has them in the store.
  var set: (_ id: String, _ session: String) -> String? = { _, _ in nil }
  var exercise: (_ id: String, _ session: String) -> String? = { _, _ in nil }
  /// The hashes of the messages that the journal has of a set.
  var messageHashes: (_ key: StreamKey) -> Set<UInt64> = { _ in [] }
}

extension RouterStore {
  init(_ journal: any StreamJournal) {
    facts = { session in
      ((try? journal.context(session)) ?? nil).flatMap { SessionFacts.parse($0.state)?.0 }
    }
    session = { id in
      (try? journal.session(id)).map { (id: $0.key.rawValue, person: $0.person?.rawValue) }
    }
    isOnePerson = { name, other in
      (try? journal.isOnePerson(HistoryUser.Key(name), HistoryUser.Key(other))) ?? false
    }
    set = { id, session in
      (try? journal.spelling(ofSet: HistorySetRow.Key(id), session: HistoryWorkoutRow.Key(session)))?
        .rawValue
    }
    exercise = { id, session in
      (try? journal.spelling(
        ofExercise: HistoryExerciseRow.Key(id), session: HistoryWorkoutRow.Key(session)))?.rawValue
    }
    messageHashes = { key in
      var hashes: Set<UInt64> = []
      try? journal.forEachEntry(ofSet: key.text) { entry in
        if !entry.isDamaged { hashes.insert(DecodedInput.messageHash(ofJournaled: entry)) }
      }
      return hashes
    }
  }
}
