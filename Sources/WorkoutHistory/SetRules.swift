import Motion

extension HistoryRules {
  package static let actualReps = 0...100_000
  /// Target reps of a set in progress; 0 means as many as possible.
  package static let targetReps = 0...999

  package static func correction(
    reps: Int?, exercise: String?, exerciseName: String?
  ) throws(RuleViolation) -> (exercise: String?, exerciseName: String?) {
    try check(reps, .actualReps, actualReps)
    return (
      try optionalText(exercise, .exerciseName, 1...256),
      try optionalText(exerciseName, .exerciseName, name)
    )
  }
}

extension RuleViolation {
  static func workoutUnderWay(sessionId: HistoryWorkoutRow.Key) -> Self {
    Self("A workout is under way (\(sessionId)): resume it, end it or discard it first.")
  }

  static let noWorkoutUnderWay = Self("No workout is under way.")
  static let noExerciseUnderWay = Self("No exercise is under way.")
  static let noSetUnderWay = Self("No set is under way.")

  var isAboutNothingInProgress: Bool {
    [.noWorkoutUnderWay, .noExerciseUnderWay, .noSetUnderWay].contains(self)
  }

  /// Returns the error for a set of another exercise, or of a workout that has ended.
  static func setElsewhere(_ id: HistorySetRow.Key) -> Self {
    Self("The set \(id) belongs to another exercise or workout.")
  }
}

extension SetIdentity {
  package var workoutKey: HistoryWorkoutRow.Key? { sessionId.map(RecordKey.init(_:)) }

  package var exerciseKey: HistoryExerciseRow.Key? { exerciseId.map(RecordKey.init(_:)) }

  package var setKey: HistorySetRow.Key? { setId.map(RecordKey.init(_:)) }

  /// A copy without ids that contain U+0000. SQLite would truncate them, and different ids would collide.
  package var storable: SetIdentity {
    func storable(_ id: String?) -> String? { id.flatMap { $0.utf8.contains(0) ? nil : $0 } }
    return SetIdentity(
      sessionId: storable(sessionId), exerciseId: storable(exerciseId), setId: storable(setId))
  }
}
