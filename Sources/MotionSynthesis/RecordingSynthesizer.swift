/// Generates a recording of a workout: the samples of a watch on a moving arm, and the ground truth.
///
/// Steps: a person (limb lengths, wrist, orientation of the watch), the person's variant of an exercise, a
/// script of movements, and the watch's motion by the arm's kinematics. Truth comes from the undisturbed
/// motion, samples from the full motion through a sensor model. `docs/synthesis.md` describes the model.
///
/// ```swift
/// let synthesizer = try RecordingSynthesizer(SynthesisOptions(seed: 7, exercise: .curl, reps: 10))
/// let curls = synthesizer.make()
/// print(curls.truth.map(\.reps.count))  // [10]
/// ```
package struct RecordingSynthesizer: Sendable {
  package let options: SynthesisOptions

  /// - Throws: ``SynthesisError`` if an option is outside its range.
  package init(_ options: SynthesisOptions) throws(SynthesisError) {
    try options.validate()
    self.options = options
  }

  /// Returns the recording. Takes about 15 µs per sample.
  package func make() -> SyntheticRecording { scene().record() }

  /// Returns the model behind the recording, for tests.
  func scene() -> Scene { Scene(options: options) }
}
