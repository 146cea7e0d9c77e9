#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An exercise that can be done, as the catalogue describes it.
public struct CatalogExercise: Sendable, Hashable {
  /// The number of its row.
  public typealias ID = RowID<CatalogExercise>
  /// The name for ever; where an exercise is asked for, its template id does as well.
  public typealias Key = RecordKey<CatalogExercise>

  /// The row; nil until it is saved.
  public var id: ID?
  public var uuid: Key
  /// Its owner's row; nil for an exercise of the library that all share.
  public var userId: HistoryUser.ID?
  /// Its name in the library that it came from.
  public var templateId: Key?
  public var name: String
  public var muscleGroup: MuscleGroup
  public var furtherMuscleGroups: [MuscleGroup] = []
  /// A part of the group, such as the back of the legs.
  public var muscleSubgroup: String?
  /// Names of single muscles.
  public var muscles: [String] = []
  /// Such as strength, mobility, cardio.
  public var type: String?
  public var equipment: String?
  public var gripVariation: String?
  /// How the machine is set up.
  public var setup: String?
  public var description: String?
  public var videoURL: String?
  public var defaultSets = 3
  public var defaultReps = 12
  /// Seconds: 30, 60, 90, 120 or 180.
  public var defaultRestTime = 60
  /// Kilograms.
  public var defaultWeight: Double?
  public var createdAt: Date?

  public init(uuid: Key, name: String, muscleGroup: MuscleGroup) {
    self.uuid = uuid
    self.name = name
    self.muscleGroup = muscleGroup
  }
}

extension CatalogExercise {
  /// The exercise as it is stored: texts without white space around them.
  ///
  /// - Throws: the first rule that it violates.
  func checked() throws(RuleViolation) -> CatalogExercise {
    var copy = self
    let short = 1...100
    copy.name = try HistoryRules.text(name, .exerciseName, HistoryRules.name)
    copy.templateId = try HistoryRules.optionalText(
      templateId?.rawValue, .exerciseName, 1...200
    ).map(Key.init(_:))
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
      throw .notAmong(
        .defaultRestTime, HistoryRules.defaultRestTimes, found: defaultRestTime)
    }
    try HistoryRules.check(defaultWeight, .defaultWeight, HistoryRules.weight)
    return copy
  }

  /// The words beside the name by which it is found.
  var keywords: String {
    let groups = ([muscleGroup] + furtherMuscleGroups).flatMap(\.names)
    let texts = [muscleSubgroup, type, equipment, gripVariation, templateId?.rawValue, description]
    return (groups + muscles + texts.compactMap { $0 }).joined(separator: " ")
  }
}
