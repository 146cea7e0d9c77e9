/// A request that violates the history's rules. Nothing was changed.
public struct RuleViolation: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  private init(_ description: String) { self.description = description }
}

extension RuleViolation {
  enum Field: String, Sendable {
    case userName = "name"
    case email, gender, locale, height, bodyWeight, birthDate
    case exerciseName = "exercise name"
    case muscleName = "muscle"
    case exerciseType = "exercise type"
    case muscleSubgroup = "muscle subgroup"
    case equipment
    case gripVariation = "grip"
    case setup, description, intro
    case splitName = "split name"
    case planTitle = "plan title"
    case sets, reps
    case targetReps = "target reps"
    case actualReps = "reps done"
    case weight, rest, duration
    case breakDuration = "break"
    case defaultSets = "default sets"
    case defaultReps = "default reps"
    case defaultRestTime = "default rest"
    case defaultWeight = "default weight"
    case startTime = "start"
    case endTime = "end"
    case sessionId = "session id"
    case setId = "set id"
    case focus, intensity, notes

    fileprivate var unit: String {
      switch self {
      case .weight, .defaultWeight, .bodyWeight: " kg"
      case .rest, .duration, .breakDuration, .defaultRestTime: " s"
      case .height: " m"
      default: ""
      }
    }
  }

  static func missing(_ field: Field) -> Self { Self("The \(field.rawValue) is required.") }

  /// A text that is too short or too long, in characters.
  static func length(_ field: Field, _ range: ClosedRange<Int>, found: Int) -> Self {
    Self(
      found < range.lowerBound
        ? "The \(field.rawValue) must have at least \(range.lowerBound) characters."
        : "The \(field.rawValue) must have at most \(range.upperBound) characters (it has \(found))."
    )
  }

  static func notText(_ field: Field) -> Self { Self("The \(field.rawValue) must be text.") }
  static func range<N>(_ field: Field, _ range: ClosedRange<N>, found: N) -> Self {
    func text(_ number: N) -> String {
      let text = "\(number)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let bounds = "\(text(range.lowerBound)) and \(text(range.upperBound))\(field.unit)"
    return Self("The \(field.rawValue) must be between \(bounds), not \(found).")
  }

  static func notAmong(_ field: Field, _ values: [Int], found: Int) -> Self {
    let list = values.map(String.init).joined(separator: ", ")
    return Self("The \(field.rawValue) must be one of \(list)\(field.unit), not \(found).")
  }

  static func notADate(_ field: Field) -> Self { Self("The \(field.rawValue) must be a date.") }
  static let endBeforeStart = Self("The end must not lie before the start.")
  static func videoURL(_ text: String) -> Self {
    Self("\"\(text)\" is not the address of a video.")
  }

  static func unknownMuscleGroup(_ text: String) -> Self {
    let groups = MuscleGroup.allCases.map(\.rawValue).joined(separator: ", ")
    return Self("\"\(text)\" is not a muscle group; there are \(groups).")
  }

  static func templateIdTaken(_ id: CatalogExercise.Key) -> Self {
    Self("Another exercise has the template id \(id).")
  }

  static let emptyPlan = Self("Add at least one exercise to the plan.")
  static let incompleteOrder = Self("The order must name each of the person's plans once.")
  static func tooManyPlans(limit: Int) -> Self { Self("No more than \(limit) plans are allowed.") }
  static func tooManyExercises(limit: Int, found: Int) -> Self {
    Self("No more than \(limit) exercises are allowed in a plan, and it has \(found).")
  }

  static func tooManySets(limit: Int, found: Int) -> Self {
    Self("No more than \(limit) sets are allowed for an exercise, and it has \(found).")
  }

  static func exerciseInUse(plans: Int) -> Self {
    Self("The exercise is used in \(plans) plan\(plans == 1 ? "" : "s"); confirm that it shall go.")
  }

  static func providerIdTaken(_ id: HistoryUser.Key) -> Self {
    Self("Another person has the id \(id).")
  }

  static func workoutUnderWay(sessionId: HistoryWorkoutRow.Key) -> Self {
    Self("A workout is under way (\(sessionId)): resume it, end it or discard it first.")
  }

  static let noWorkoutUnderWay = Self("No workout is under way.")
  static let noExerciseUnderWay = Self("No exercise is under way.")
  static let noSetUnderWay = Self("No set is under way.")

  var isAboutNothingInProgress: Bool {
    [.noWorkoutUnderWay, .noExerciseUnderWay, .noSetUnderWay].contains(self)
  }

  /// The set belongs to another exercise, or to a workout that has ended.
  static func setElsewhere(_ id: HistorySetRow.Key) -> Self {
    Self("The set \(id) belongs to another exercise or workout.")
  }
}
