extension CatalogExercise {
  /// Returns the exercise in its stored form, with surrounding white space removed from texts.
  package func checked() throws(RuleViolation) -> CatalogExercise {
    var copy = self
    let short = 1...100
    copy.name = try HistoryRules.text(name, .exerciseName, HistoryRules.name)
    copy.templateId = try HistoryRules.optionalText(templateId?.rawValue, .exerciseName, 1...200)
      .map(Key.init(_:))
    copy.muscleSubgroup = try HistoryRules.optionalText(muscleSubgroup, .muscleSubgroup, short)
    copy.type = try HistoryRules.optionalText(type, .exerciseType, short)
    copy.equipment = try HistoryRules.optionalText(equipment, .equipment, short)
    copy.gripVariation = try HistoryRules.optionalText(gripVariation, .gripVariation, short)
    copy.setup = try HistoryRules.optionalText(setup, .setup, HistoryRules.description)
    copy.description = try HistoryRules.optionalText(
      description, .description, HistoryRules.description)
    copy.videoURL = try HistoryRules.videoURL(videoURL)
    var muscles: [String] = []
    for muscle in self.muscles {
      let name = try HistoryRules.text(muscle, .muscleName, HistoryRules.name)
      if !muscles.contains(name) { muscles.append(name) }
    }
    copy.muscles = muscles
    copy.furtherMuscleGroups = MuscleGroup.allCases.filter {
      $0 != muscleGroup && furtherMuscleGroups.contains($0)
    }
    try HistoryRules.check(defaultSets, .defaultSets, HistoryRules.defaultSets)
    try HistoryRules.check(defaultReps, .defaultReps, HistoryRules.defaultReps)
    guard HistoryRules.defaultRestTimes.contains(defaultRestTime) else {
      throw .notAmong(.defaultRestTime, HistoryRules.defaultRestTimes, found: defaultRestTime)
    }
    try HistoryRules.check(defaultWeight, .defaultWeight, HistoryRules.weight)
    return copy
  }

  var keywords: String {
    let groups = ([muscleGroup] + furtherMuscleGroups).flatMap(\.names)
    let texts = [muscleSubgroup, type, equipment, gripVariation, templateId?.rawValue, description]
    return (groups + muscles + texts.compactMap { $0 }).joined(separator: " ")
  }
}
