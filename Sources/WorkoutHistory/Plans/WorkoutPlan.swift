#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A workout that is planned: exercises and breaks in order.
public struct WorkoutPlan: Sendable, Hashable {
  /// The number of its row.
  public typealias ID = RowID<WorkoutPlan>
  /// The name for ever.
  public typealias Key = RecordKey<WorkoutPlan>

  /// The word before the letter of an automatic title, where the caller gives no other.
  public static let titlePrefix = "Workout"

  /// The row; nil until it is saved.
  public var id: ID?
  public var uuid: Key
  /// "Workout A", "Workout B", …: the first letter that is free among the person's plans.
  public internal(set) var autoTitle = ""
  /// The person's own title.
  public var title: String?
  public var description = ""
  /// From 0, among the person's plans.
  public internal(set) var order = 0
  /// Whether it is the one that the person follows now.
  public internal(set) var isActive = false
  /// The split that it is a day of, by its uuid.
  public var split: TrainingSplit.Key?
  public var items: [PlanItem]
  public var createdAt: Date?

  public init(uuid: Key, title: String? = nil, items: [PlanItem]) {
    self.uuid = uuid
    self.title = title
    self.items = items
  }

  /// The person's title where there is one.
  public var displayTitle: String { title ?? autoTitle }

  /// The plan's exercises, without its breaks.
  public var exercises: [PlannedExercise] { items.compactMap(\.exercise) }

  /// Seconds: three for each rep, and a rest after each set.
  public var estimatedDuration: Int {
    Int(nearest: items.reduce(0) { $0 + Double($1.estimatedDuration) })
  }

  /// The muscle groups of its exercises, in the order of their first appearance.
  public internal(set) var muscleGroups: [MuscleGroup] = []
}

/// An exercise or a break of a plan.
public struct PlanItem: Sendable, Hashable {
  /// The name for ever.
  public typealias Key = RecordKey<PlanItem>

  public enum Content: Sendable, Hashable {
    case exercise(PlannedExercise)
    /// Seconds.
    case pause(duration: Int)
  }

  public var uuid: Key
  public var content: Content

  public init(uuid: Key, _ content: Content) {
    self.uuid = uuid
    self.content = content
  }

  public var exercise: PlannedExercise? {
    if case .exercise(let exercise) = content { exercise } else { nil }
  }

  /// Seconds.
  public var estimatedDuration: Int {
    switch content {
    case .exercise(let exercise): exercise.estimatedDuration
    case .pause(let duration): duration
    }
  }
}

/// An exercise as a plan wants it done.
public struct PlannedExercise: Sendable, Hashable {
  public enum Configuration: Sendable, Hashable {
    /// - Parameter restTime: seconds between the sets.
    case repetitions(sets: Int, reps: Int, restTime: Int)
    /// Seconds.
    case time(duration: Int)
  }

  /// The exercise of the catalogue, by its uuid or template id; nil where it has gone.
  public var exercise: CatalogExercise.Key?
  /// Its name when it was planned, which outlives it. Empty: that of the catalogue.
  public var name: String
  public var configuration: Configuration
  /// Kilograms.
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

  /// Seconds.
  public var estimatedDuration: Int {
    switch configuration {
    case .repetitions(let sets, let reps, let restTime):
      Int(nearest: (3 * Double(reps) + Double(restTime)) * Double(sets))
    case .time(let duration): duration
    }
  }

  /// Such as "3 sets × 12 reps", or "45s".
  public var summary: String {
    switch configuration {
    case .repetitions(let sets, let reps, _): "\(sets) sets × \(reps) reps"
    case .time(let duration): "\(duration)s"
    }
  }
}

extension Int {
  /// The whole number nearest to a sum or product: numbers that nobody has checked yet may give one
  /// that is too large.
  fileprivate init(nearest value: Double) {
    self = Int(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
  }
}

/// Days of training that belong together: plans A, B, C, …
public struct TrainingSplit: Sendable, Hashable {
  /// The name for ever.
  public typealias Key = RecordKey<TrainingSplit>

  public var uuid: Key
  public var name: String
  public var intro: String

  public init(uuid: Key, name: String, intro: String = "") {
    self.uuid = uuid
    self.name = name
    self.intro = intro
  }
}
