/// A planned workout: exercises and breaks in order.
public struct WorkoutPlan: Sendable, Hashable {
  package typealias ID = RowID<WorkoutPlan>
  public typealias Key = RecordKey<WorkoutPlan>

  /// The default word before the letter of an automatic title.
  public static let titlePrefix = "Workout"

  package var id: ID?
  public var uuid: Key
  /// "Workout A", "Workout B", …: the first free letter among the person's plans.
  public internal(set) var autoTitle = ""
  public var title: String?
  public var description = ""
  package internal(set) var order = 0
  public internal(set) var isActive = false
  /// The uuid of the split that contains the plan as a day.
  package var split: TrainingSplit.Key?
  public var items: [PlanItem]
  package var createdAt: Date?

  public init(uuid: Key, title: String? = nil, items: [PlanItem]) {
    self.uuid = uuid
    self.title = title
    self.items = items
  }

  /// The person's title, or else the automatic one.
  package var displayTitle: String { title ?? autoTitle }

  package var exercises: [PlannedExercise] { items.compactMap(\.exercise) }

  /// Estimated duration, in seconds: three per rep, and a rest after each set.
  package var estimatedDuration: Int {
    Int(nearest: items.reduce(0) { $0 + Double($1.estimatedDuration) })
  }

  /// The muscle groups of the exercises, in order of first appearance.
  package internal(set) var muscleGroups: [MuscleGroup] = []
}

/// An exercise or a break of a plan.
public struct PlanItem: Sendable, Hashable {
  public typealias Key = RecordKey<PlanItem>

  public enum Content: Sendable, Hashable {
    case exercise(PlannedExercise)
    case pause(duration: Int)
  }

  public var uuid: Key
  public var content: Content

  public init(uuid: Key, _ content: Content) {
    self.uuid = uuid
    self.content = content
  }

  package var exercise: PlannedExercise? {
    if case .exercise(let exercise) = content { exercise } else { nil }
  }

  package var estimatedDuration: Int {
    switch content {
    case .exercise(let exercise): exercise.estimatedDuration
    case .pause(let duration): duration
    }
  }
}

/// An exercise of a plan.
public struct PlannedExercise: Sendable, Hashable {
  public enum Configuration: Sendable, Hashable {
    case repetitions(sets: Int, reps: Int, restTime: Int)
    case time(duration: Int)
  }

  /// The uuid or template id of the catalog exercise; nil if that was deleted.
  public var exercise: CatalogExercise.Key?
  /// The exercise's name at the time of planning, which outlives the exercise; empty for the catalog's name.
  public var name: String
  public var configuration: Configuration
  /// The weight, in kilograms.
  public var weight: Double?

  public init(
    exercise: CatalogExercise.Key?, name: String = "", _ configuration: Configuration,
    weight: Double? = nil
  ) {
    self.exercise = exercise
    self.name = name
    self.configuration = configuration
    self.weight = weight
  }

  package var estimatedDuration: Int {
    switch configuration {
    case .repetitions(let sets, let reps, let restTime):
      Int(nearest: (3 * Double(reps) + Double(restTime)) * Double(sets))
    case .time(let duration): duration
    }
  }
}

extension Int {
  /// Rounds to the nearest integer. Saturates, since sums or products of unchecked numbers may be too large.
  fileprivate init(nearest value: Double) {
    self = Int(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
  }
}

/// A training split: plans A, B, C, … for different days.
package struct TrainingSplit: Sendable, Hashable {
  package typealias Key = RecordKey<TrainingSplit>

  package var uuid: Key
  package var name: String
  package var intro: String

  package init(uuid: Key, name: String, intro: String = "") {
    self.uuid = uuid
    self.name = name
    self.intro = intro
  }
}

/// Limits on a person's plans, set by the caller's policy.
public struct PlanLimits: Sendable, Hashable {
  /// Maximum number of plans; nil for no limit.
  package var plans: Int?
  package var exercisesPerPlan: Int?
  package var setsPerExercise: Int?

  public init(plans: Int? = nil, exercisesPerPlan: Int? = nil, setsPerExercise: Int? = nil) {
    self.plans = plans
    self.exercisesPerPlan = exercisesPerPlan
    self.setsPerExercise = setsPerExercise
  }

  package static let free = PlanLimits(plans: 4, exercisesPerPlan: 6, setsPerExercise: 3)
  package static let premium = PlanLimits()
  public static let none = PlanLimits()
}

extension HistoryUser {
  /// Returns the limits of the person's subscription at a date. An expired one counts as free.
  package func limits(at date: Date) -> PlanLimits {
    guard subscriptionType == .premium else { return .free }
    if let subscriptionValidUntil, subscriptionValidUntil < date { return .free }
    return .premium
  }
}
