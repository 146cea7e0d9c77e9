import Motion

/// A synthetic recording with everything that is true of it.
package struct SyntheticRecording: Sendable {
  package var name: String
  package var options: SynthesisOptions
  package var exercise: ExerciseFamily
  /// As a decoder would hand it over: samples in order, phases, ids, date of the first sample.
  package var recording: Recording
  package var truth: [TrueSet]
  /// For every sample: how far along the exercise's range the movement is, 0 at the starting
  /// posture to 1 at the turnaround, and NaN outside the sets. Without tremor and noise.
  package var progress: [Double]
  /// For every sample: the same as the seed app's movement, −1 at the end of the eccentric to +1
  /// at the end of the concentric phase; NaN outside the sets.
  package var movement: [Double] {
    let sign = exercise.startsConcentric ? 1.0 : -1.0
    return progress.map { sign * (2 * $0 - 1) }
  }
}
