import Motion

/// A synthetic recording with its ground truth.
package struct SyntheticRecording: Sendable {
  package var name: String
  package var options: SynthesisOptions
  package var exercise: ExerciseFamily
  /// The recording as a decoder would return it: samples in order, phases, ids, date of the first sample.
  package var recording: Recording
  package var truth: [TrueSet]
  /// Position in the exercise's range at each sample, 0 at the starting posture to 1 at the turnaround; NaN
  /// outside the sets. Without tremor and noise.
  package var progress: [Double]
  /// Movement at each sample as in the seed app, −1 at the end of the eccentric phase to +1 at the end of the
  /// concentric phase; NaN outside the sets.
  package var movement: [Double] {
    let sign = exercise.startsConcentric ? 1.0 : -1.0
    return progress.map { sign * (2 * $0 - 1) }
  }
}
