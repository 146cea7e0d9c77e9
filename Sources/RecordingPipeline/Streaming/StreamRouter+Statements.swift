import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// Statements about sets, and the resulting steps in the history.
extension StreamRouter {
  /// Keeps the details of a `startSet` until the set ends.
  mutating func remember(_ control: ControlMessage, of key: StreamKey, line: Int) {
    let details = control.details
    guard options.keepsJournal, details.targetReps != nil || details.weight != nil,
      case .set(_, let id) = key, let entry = registry[key], !entry.session.isEmpty
    else { return }
    resolver.change(entry.session) {
      $0.starts[id] = SessionFacts.SetStart(
        targetReps: details.targetReps, weight: details.weight, unixTime: control.unixTime,
        line: line)
    }
    if entry.isEnded { releaseStart(of: key) }
  }

  /// Holds a person's correction until the set ends, if the history does not have the set yet. Returns
  /// false if the correction is not held.
  mutating func holdsCorrection(_ control: ControlMessage, of key: StreamKey, line: Int) -> Bool {
    guard control.kind == .correctSet, case .set(_, let id) = key,
      let entry = registry[key] ?? key.setWithoutId.flatMap({ registry[$0] }),
      !entry.isEnded, let session = resolver.sessions[entry.session], let name = session.spelling,
      session.corrections[id] != nil || !store.hasSet(id, name)
    else { return false }
    let details = control.details
    let isAllowed =
      (try? HistoryRules.correction(
        reps: details.reps, exercise: control.identity.exerciseId,
        exerciseName: details.exerciseName)) != nil
    // A correction that the history rejects replaces nothing.
    guard isAllowed else { return false }
    var said = session.corrections[id] ?? SessionFacts.Correction(line: line)
    if control.identity.exerciseId != nil || details.exerciseName != nil {
      said.exerciseId = control.identity.exerciseId
      said.exerciseName = details.exerciseName
      said.reps = details.reps ?? said.reps
    } else {
      said.reps = details.reps
    }
    said.unixTime = control.unixTime
    said.line = line
    resolver.change(entry.session) { $0.corrections[id] = said }
    return true
  }

  /// Passes the held statements about an ending set to the history, which may not have had the set before.
  mutating func releaseStart(of key: StreamKey) {
    releaseCorrection(of: key)
    guard case .set(_, let id) = key, let entry = registry[key], let set = entry.identity.setKey,
      let start = resolver.sessions[entry.session]?.starts[id]
    else { return }
    resolver.change(entry.session) { $0.starts[id] = nil }
    addStep(
      .noteStart(set, targetReps: start.targetReps, weight: start.weight), of: entry,
      at: start.unixTime, line: start.line)
  }

  mutating func releaseCorrection(of key: StreamKey) {
    guard let entry = registry[key], let corrections = resolver.sessions[entry.session]?.corrections
    else { return }
    for id in corrections.keys.sorted() {
      let set = StreamKey.set(session: key.session, id: id)
      guard let said = corrections[id], set == key || set.setWithoutId == key,
        let name = set == key ? entry.identity.setKey : HistorySetRow.Key(id.lowercased())
      else { continue }
      resolver.change(entry.session) { $0.corrections[id] = nil }
      addStep(
        .correct(
          name, reps: said.reps, exercise: said.exerciseId.map(HistoryExerciseRow.Key.init(_:)),
          exerciseName: said.exerciseName), of: entry, at: said.unixTime, line: said.line)
    }
  }

  mutating func addStep(
    _ step: WorkoutAction.Step, of entry: SetRegistry.Entry, at date: Double?, line: Int
  ) {
    guard let session = resolver.sessions[entry.session]?.spelling ?? entry.identity.sessionId
    else { return }
    addStep(
      WorkoutAction(session: HistoryWorkoutRow.Key(session), step, date: date, user: nil),
      of: entry.session, line: line)
  }

  mutating func addStep(_ action: WorkoutAction, of session: String, line: Int) {
    var action = action
    // A start names its own person, and may create them.
    if action.person == nil {
      action.owner = resolver.sessions[session]?.person.map { HistoryUser.Key($0) }
    }
    sequence += 1
    workoutSteps.append((sequence, .init(action: action, line: line)))
  }
}
