import Evaluation
import MotionSynthesis
import RepTrace

/// Evaluation on synthetic recordings, which are generated in memory and never written.
enum SyntheticEvaluation {
  /// The default columns by which an evaluation is broken down.
  static let columns = ["difficulty", "style", "faults", "rate"]

  static func run(_ corpus: SyntheticCorpus, options: EvaluationOptions) async throws
    -> EvaluationReport
  {
    let evaluator = Evaluator(options: options)
    var evaluated: [EvaluatedRecording] = []
    try await mapInOrder(
      Array(corpus),
      { options -> EvaluatedRecording? in
        guard let made = try? RecordingSynthesizer(options).make() else { return nil }
        return evaluator.evaluate(made.recording, labels: made.truth.map { label($0, in: made) })
      },
      deliver: { if let recording = $0 { evaluated.append(recording) } })
    return EvaluationReport(evaluated, options: options)
  }

  /// Returns the ground truth of a set as a label row. Times are those of the samples.
  private static func label(_ set: TrueSet, in made: SyntheticRecording) -> LabeledSet {
    let faults = made.options.faults.map(\.rawValue).sorted().joined(separator: "+")
    return LabeledSet(
      recording: made.name, reps: set.reps.count, span: set.start...set.end,
      exercise: set.exercise.rawValue, repTimes: set.reps.map { $0.start...$0.end },
      columns: [
        "recording": made.name, "exercise": set.exercise.rawValue,
        "difficulty": made.options.difficulty.rawValue, "style": set.style.rawValue,
        "faults": faults.isEmpty ? "none" : faults, "rate": made.options.rate.label,
        "alternation": set.exercise.alternation.rawValue,
      ])
  }
}
