import Motion

/// The journal of a stream, as read by the stream's engine.
package protocol StreamJournal: Sendable {
  func sets() throws -> [JournalSet]
  func cutSet(_ key: String) throws -> JournalSet?
  func forEachEntry(ofSet key: String, _ body: (JournalEntry) throws -> Void) throws
  func snapshot(ofSet key: String) throws -> JournalSnapshot?
  func contexts() throws -> [JournalContext]
  func context(_ session: String) throws -> JournalContext?
  func deletionMark() throws -> String
  func deletions() throws -> [(session: String, name: String)]
  func finalizedRecording(
    ofStreamed key: String, identity: SetIdentity
  ) throws -> FinalizedRecording?
  func isOfAnother(session: String, than person: String) throws -> Bool
  func isOnePerson(_ name: HistoryUser.Key, _ other: HistoryUser.Key) throws -> Bool
  func session(_ id: String) throws -> (key: HistoryWorkoutRow.Key, person: HistoryUser.Key?)?
  func spelling(
    ofSet id: HistorySetRow.Key, session: HistoryWorkoutRow.Key
  ) throws -> HistorySetRow.Key?
  func hasSet(_ reference: HistorySetRow.Key, session: HistoryWorkoutRow.Key) throws -> Bool
  func spelling(
    ofExercise id: HistoryExerciseRow.Key, session: HistoryWorkoutRow.Key
  ) throws -> HistoryExerciseRow.Key?
}
