#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An exercise of the catalogue.
public struct CatalogExercise: Sendable, Hashable {
  package typealias ID = RowID<CatalogExercise>
  /// The permanent key. Lookups accept the template id as well.
  public typealias Key = RecordKey<CatalogExercise>

  package var id: ID?
  public var uuid: Key
  package var userId: HistoryUser.ID?
  /// The exercise's key in the library that it came from.
  package var templateId: Key?
  public var name: String
  public var muscleGroup: MuscleGroup
  public var furtherMuscleGroups: [MuscleGroup] = []
  /// A part of the muscle group, such as the back of the legs.
  public var muscleSubgroup: String?
  public var muscles: [String] = []
  /// For example strength, mobility or cardio.
  public var type: String?
  public var equipment: String?
  public var gripVariation: String?
  public var setup: String?
  public var description: String?
  public var videoURL: String?
  public var defaultSets = 3
  public var defaultReps = 12
  /// Default rest between sets, in seconds: 30, 60, 90, 120 or 180.
  public var defaultRestTime = 60
  /// Default weight, in kilograms.
  public var defaultWeight: Double?
  package var createdAt: Date?

  public init(uuid: Key, name: String, muscleGroup: MuscleGroup) {
    self.uuid = uuid
    self.name = name
    self.muscleGroup = muscleGroup
  }
}

extension CatalogExercise {
  /// Returns the exercise in its stored form, with surrounding white space removed from texts.
  func checked() throws(RuleViolation) -> CatalogExercise {
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
