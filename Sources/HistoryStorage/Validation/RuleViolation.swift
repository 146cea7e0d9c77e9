/// A request that violates the history's rules. Nothing was changed.
public struct RuleViolation: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  package init(_ description: String) { self.description = description }
}

extension RuleViolation {
  package enum Field: String, Sendable {
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

  package static func missing(_ field: Field) -> Self { Self("The \(field.rawValue) is required.") }

  /// Returns the violation for a text that is too short or too long, in characters.
  package static func length(_ field: Field, _ range: ClosedRange<Int>, found: Int) -> Self {
    Self(
      found < range.lowerBound
        ? "The \(field.rawValue) must have at least \(range.lowerBound) characters."
        : "The \(field.rawValue) must have at most \(range.upperBound) characters (it has \(found))."
    )
  }

  package static func notText(_ field: Field) -> Self {
    Self("The \(field.rawValue) must be text.")
  }
  package static func range<N>(_ field: Field, _ range: ClosedRange<N>, found: N) -> Self {
    func text(_ number: N) -> String {
      let text = "\(number)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let bounds = "\(text(range.lowerBound)) and \(text(range.upperBound))\(field.unit)"
    return Self("The \(field.rawValue) must be between \(bounds), not \(found).")
  }

  package static func notAmong(_ field: Field, _ values: [Int], found: Int) -> Self {
    let list = values.map(String.init).joined(separator: ", ")
    return Self("The \(field.rawValue) must be one of \(list)\(field.unit), not \(found).")
  }

  package static func notADate(_ field: Field) -> Self {
    Self("The \(field.rawValue) must be a date.")
  }
  package static let endBeforeStart = Self("The end must not lie before the start.")
  package static func providerIdTaken(_ id: HistoryUser.Key) -> Self {
    Self("Another person has the id \(id).")
  }
}
