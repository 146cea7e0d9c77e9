/// An exercise of the catalog.
public struct CatalogExercise: Sendable, Hashable {
  package typealias ID = RowID<CatalogExercise>
  /// The permanent key. Lookups accept the template id as well.
  public typealias Key = RecordKey<CatalogExercise>

  package var id: ID?
  public var uuid: Key
  package var userId: HistoryUser.ID?
  /// The exercise's key in its original library.
  package var templateId: Key?
  public var name: String
  public var muscleGroup: MuscleGroup
  public var furtherMuscleGroups: [MuscleGroup] = []
  /// A part of the muscle group, such as the back of the legs.
  public var muscleSubgroup: String?
  public var muscles: [String] = []
  /// The kind of training, such as strength, mobility or cardio.
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
