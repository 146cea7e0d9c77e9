extension WorkoutPlan {
  /// Returns the plan in its stored form, with surrounding white space removed from texts.
  package func checked(limits: PlanLimits) throws(RuleViolation) -> WorkoutPlan {
    var copy = self
    copy.title = try HistoryRules.optionalText(title, .planTitle, HistoryRules.planTitle)
    copy.description = try HistoryRules.text(description, .description, HistoryRules.description)
    var checked: [PlanItem] = []
    for item in items { checked.append(try item.checked(limits: limits)) }
    copy.items = checked
    guard !exercises.isEmpty else { throw .emptyPlan }
    if let limit = limits.exercisesPerPlan, exercises.count > limit {
      throw .tooManyExercises(limit: limit, found: exercises.count)
    }
    return copy
  }
}

extension PlanItem {
  fileprivate func checked(limits: PlanLimits) throws(RuleViolation) -> PlanItem {
    switch content {
    case .pause(let duration):
      try HistoryRules.check(duration, .breakDuration, HistoryRules.breakDuration)
      return self
    case .exercise(var exercise):
      exercise.name =
        try HistoryRules.optionalText(exercise.name, .exerciseName, HistoryRules.name) ?? ""
      if exercise.exercise == nil, exercise.name.isEmpty { throw .missing(.exerciseName) }
      try HistoryRules.check(exercise.weight, .weight, HistoryRules.weight)
      switch exercise.configuration {
      case .repetitions(let sets, let reps, let restTime):
        try HistoryRules.check(sets, .sets, HistoryRules.sets)
        try HistoryRules.check(reps, .reps, HistoryRules.reps)
        try HistoryRules.check(restTime, .rest, HistoryRules.restTime)
        if let limit = limits.setsPerExercise, sets > limit {
          throw .tooManySets(limit: limit, found: sets)
        }
      case .time(let duration): try HistoryRules.check(duration, .duration, HistoryRules.duration)
      }
      return PlanItem(uuid: uuid, .exercise(exercise))
    }
  }
}
