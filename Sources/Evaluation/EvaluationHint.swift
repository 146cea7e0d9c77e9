import Motion
import RepDetection

/// A hint for the detector that an evaluation takes from the labels, to measure its benefit.
package enum EvaluationHint: String, Sendable, CaseIterable {
  /// The labeled exercise, if `ExercisePrior.named(_:)` knows it.
  case exercise
  /// Only whether the exercise alternates sides.
  case sides
  /// The labeled span divided by the number of reps.
  case period
  /// The labeled count, as the target.
  case target
  /// A quarter of the labeled count, at least two, as the minimum.
  case minimum
  /// The movement of an earlier set of the exercise, and of the person if labels have a `person` column: the
  /// first set with at least four reps that is counted correctly. Recordings that provide movements are
  /// counted without this hint.
  case patterns
}

extension EvaluationOptions {
  /// Returns the detector's hints for a set.
  func hints(of label: LabeledSet) -> SetHints {
    var result = detector.hints
    let prior = label.exercise.flatMap { ExercisePrior.named($0) }
    if hints.contains(.exercise) { result.exercise = prior }
    if hints.contains(.sides) { result.isAlternating = prior?.isAlternating }
    if hints.contains(.period), let span = label.span, label.reps > 0 {
      result.expectedPeriodSeconds = (span.upperBound - span.lowerBound) / Double(label.reps)
    }
    if hints.contains(.target) { result.targetReps = label.reps }
    if hints.contains(.minimum) { result.minimumReps = max(2, label.reps / 4) }
    if let known = patterns[PatternKey(label)], known.recording != label.recording {
      result.patterns = [known.pattern]
    }
    return result
  }
}

/// The exercise and person to which a pattern belongs.
struct PatternKey: Hashable, Sendable {
  var exercise: String
  var person: String

  init(_ label: LabeledSet) {
    exercise = label.exercise ?? ""
    person = label.columns["person"] ?? ""
  }
}

/// A movement learned from one recording, used for others.
struct LearnedPattern: Sendable {
  var recording: String
  var pattern: MovementPattern
}
