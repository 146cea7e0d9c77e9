import Motion
import RepDetection
import TimelineFormat
import WorkoutHistory

/// Moves a recording and its sets to another person in the same history.
///
/// The recording is saved for the new owner and then deleted from the old one, so that copies of the history
/// apply both changes. After a kill in between, both remain; moving again completes the move.
package struct RecordingMover: Sendable {
  package init() {}

  /// - Parameter row: One of the recording's sets.
  /// - Returns: The set's new row, owned by the other person.
  /// - Throws: `HistoryError.invalidValue` if the move would change the recording, because parts of it were
  ///   deleted or its samples were rounded.
  package func move(
    recordingOf row: HistorySetRow, to owner: HistoryUser.ID, in store: HistoryStore
  ) throws -> HistorySetRow.ID {
    func refused(_ reason: String) -> HistoryError {
      .invalidValue(
        reason: "set \(row.key) cannot be another person's, since \(reason); process it again "
          + "with --user")
    }
    guard let id = row.recordingId,
      let stored = try store.recordings().first(where: { $0.id == id })
    else { throw refused("it has no recording") }
    let recording = try store.recording(id)
    guard stored.isLossless else { throw refused("its samples are stored within bounds") }
    let rows = try store.sets(ofRecording: id)
    guard recording.samples.count == stored.sampleCount, rows.allSatisfy({ $0.position != nil })
    else { throw refused("parts of its recording were deleted") }
    let timelines = try rows.map { try store.timeline(ofSet: $0.id) }
    let sets = timelines.compactMap(\.set)
    guard sets.count == rows.count else { throw refused("its reps are not known") }
    let prepared = try PreparedRecording(
      recording, sets: sets, provenance: timelines.first?.provenance,
      movementCurves: timelines.map(\.movementCurve))
    let saved = try store.save([prepared], user: owner)[0]
    guard !saved.isUnderWay, saved.sets.count == rows.count else {
      throw refused("its workout is under way")
    }
    var moved = row.id
    for (old, new) in zip(rows, saved.sets) {
      if old.id == row.id { moved = new.id }
      if let exercise = old.exerciseName ?? old.exerciseId?.rawValue {
        try store.setExercise(exercise, ofSet: new.id)
      }
      try store.label(
        sets: [new.id], weight: old.weight, number: old.order + 1, reps: old.labelledReps)
      if let notes = old.notes { try store.update(set: new.id, notes: notes) }
      if let reps = old.correctedReps { try store.correct(set: new.id, reps: reps) }
    }
    try store.delete(recording: id)
    return moved
  }
}
