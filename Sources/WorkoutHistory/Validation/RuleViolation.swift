/// A request that violates the history's rules. Nothing was changed.
public enum RuleViolation: Error, Sendable, Hashable {
  /// The field that a rule applies to.
  public enum Field: String, Sendable, Hashable {
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
  }

  case missing(Field)
  /// A text that is too short or too long, in characters.
  case length(Field, ClosedRange<Int>, found: Int)
  /// A text with characters that are not allowed.
  case notText(Field)
  case range(Field, ClosedRange<Int>, found: Int)
  case quantity(Field, ClosedRange<Double>, found: String)
  case notAmong(Field, [Int], found: Int)
  case notADate(Field)
  case endBeforeStart
  case videoURL(String)
  case unknownMuscleGroup(String)
  /// The name in the shared library belongs to another exercise.
  case templateIdTaken(CatalogExercise.Key)
  /// The plan has no exercise.
  case emptyPlan
  /// The position lies outside the plan.
  case position(Int, count: Int)
  /// The list of a person's plans is incomplete, or contains others.
  case incompleteOrder
  case tooManyPlans(limit: Int)
  case tooManyExercises(limit: Int, found: Int)
  case tooManySets(limit: Int, found: Int)
  case exerciseInUse(plans: Int)
  case providerIdTaken(HistoryUser.Key)
  case workoutUnderWay(sessionId: HistoryWorkoutRow.Key)
  case noWorkoutUnderWay
  case noExerciseUnderWay
  case noSetUnderWay
  /// The set belongs to another exercise, or to a workout that has ended.
  case setElsewhere(HistorySetRow.Key)
}

extension RuleViolation: CustomStringConvertible {
  /// The violation as a sentence for the user.
  public var description: String {
    switch self {
    case .missing(let field): "The \(field.rawValue) is required."
    case .length(let field, let range, let found):
      found < range.lowerBound
        ? "The \(field.rawValue) must have at least \(range.lowerBound) characters."
        : "The \(field.rawValue) must have at most \(range.upperBound) characters (it has \(found))."
    case .notText(let field): "The \(field.rawValue) must be text."
    case .range(let field, let range, let found):
      "The \(field.rawValue) must be between \(range.lowerBound) and \(range.upperBound)"
        + "\(Self.unit(field)), not \(found)."
    case .quantity(let field, let range, let found):
      "The \(field.rawValue) must be between \(Self.number(range.lowerBound)) and "
        + "\(Self.number(range.upperBound))\(Self.unit(field)), not \(found)."
    case .notAmong(let field, let values, let found):
      "The \(field.rawValue) must be one of \(values.map(String.init).joined(separator: ", "))"
        + "\(Self.unit(field)), not \(found)."
    case .notADate(let field): "The \(field.rawValue) must be a date."
    case .endBeforeStart: "The end must not lie before the start."
    case .videoURL(let text): "\"\(text)\" is not the address of a video."
    case .unknownMuscleGroup(let text):
      "\"\(text)\" is not a muscle group; there are "
        + MuscleGroup.allCases.map(\.rawValue).joined(separator: ", ") + "."
    case .templateIdTaken(let id): "Another exercise has the template id \(id)."
    case .emptyPlan: "Add at least one exercise to the plan."
    case .position(let position, let count):
      "Position \(position) is not in the plan, which has \(count) items counted from 0."
    case .incompleteOrder: "The order must name each of the person's plans once."
    case .tooManyPlans(let limit): "No more than \(limit) plans are allowed."
    case .tooManyExercises(let limit, let found):
      "No more than \(limit) exercises are allowed in a plan, and it has \(found)."
    case .tooManySets(let limit, let found):
      "No more than \(limit) sets are allowed for an exercise, and it has \(found)."
    case .exerciseInUse(let plans):
      "The exercise is used in \(plans) plan\(plans == 1 ? "" : "s"); confirm that it shall go."
    case .providerIdTaken(let id): "Another person has the id \(id)."
    case .workoutUnderWay(let session):
      "A workout is under way (\(session)): resume it, end it or discard it first."
    case .noWorkoutUnderWay: "No workout is under way."
    case .noExerciseUnderWay: "No exercise is under way."
    case .noSetUnderWay: "No set is under way."
    case .setElsewhere(let id): "The set \(id) belongs to another exercise or workout."
    }
  }

  private static func unit(_ field: Field) -> String {
    switch field {
    case .weight, .defaultWeight, .bodyWeight: " kg"
    case .rest, .duration, .breakDuration, .defaultRestTime: " s"
    case .height: " m"
    default: ""
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? String(Int64(value)) : "\(value)"
  }
}
