import Motion
import RepDetection

/// A hint that an evaluation gives to the detector, taken from the labels, to measure its benefit.
package enum EvaluationHint: String, Sendable, CaseIterable {
  /// The exercise by its labelled name, if `ExercisePrior.named(_:)` knows it.
  case exercise
  /// Only whether sides alternate, as known of the exercise.
  case sides
  /// The labelled span divided by the number of reps.
  case period
  /// The labelled count, as the intended one.
  case target
  /// A quarter of the labelled count, at least two.
  case minimum
  /// The movement of an earlier set of the exercise, and of the person if labels have a column `person`: the
  /// first with four reps or more that is counted correctly. Recordings from which movements are learned are
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
