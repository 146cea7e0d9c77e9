import Motion
import RepDetection

/// What an evaluation tells the counter beforehand, taken from the labels: to measure what a hint is
/// worth.
package enum EvaluationHint: String, Sendable, CaseIterable {
  /// The exercise by its labelled name, where `ExercisePrior.named(_:)` knows it.
  case exercise
  /// Only that two sides take turns, or that they do not, as known of the exercise.
  case sides
  /// The mean time between the labelled reps: of the span by their number.
  case period
  /// The labelled count as intended.
  case target
  /// A quarter of the labelled count, at least two.
  case minimum
  /// The movement of an earlier set of the exercise, and of the person where labels have a column
  /// `person`: of the first that is counted right with four reps or more. Recordings that it is learned
  /// from are counted without it.
  case patterns
}

extension EvaluationOptions {
  /// What the counter is told of a set beforehand.
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

/// Whose movement a pattern shows.
struct PatternKey: Hashable, Sendable {
  var exercise: String
  var person: String

  init(_ label: LabeledSet) {
    exercise = label.exercise ?? ""
    person = label.columns["person"] ?? ""
  }
}

/// A movement that was learned from one recording for others.
struct LearnedPattern: Sendable {
  var recording: String
  var pattern: MovementPattern
}
