import RecordingInput
import WorkoutHistory

/// Lookups in the store for messages that preceded the router's own. Read errors count as unknown here; the
/// code that reads samples reports them.
struct RouterStore {
  /// Returns the facts of a session from an earlier run, or of an evicted one. The id is in capitals.
  var facts: (_ session: String) -> SessionFacts? = { _ in nil }
  /// Returns a session's id as spelled in the store, and its owner; `person` is nil for the store's owner.
  var session: (_ id: String) -> (id: String, person: String?)? = { _ in nil }
  /// Returns whether two names belong to one person.
  var isOnePerson: (_ name: String, _ other: String) -> Bool = { _, _ in false }
  /// Returns the id of a set, or of an exercise, as spelled in the store for its session.
  var set: (_ id: String, _ session: String) -> String? = { _, _ in nil }
  /// Returns whether a session has a set with this id, key or name.
  var hasSet: (_ id: String, _ session: String) -> Bool = { _, _ in false }
  var exercise: (_ id: String, _ session: String) -> String? = { _, _ in nil }
  /// Returns the hashes of a set's journaled messages.
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
    hasSet = { id, session in
      (try? journal.hasSet(HistorySetRow.Key(id), session: HistoryWorkoutRow.Key(session))) ?? false
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
