/// Makes a synthetic recording of a workout: what a watch on a moving arm would have recorded, and
/// what is true of it.
///
/// Steps: a person (limb lengths, wrist, way of wearing), an exercise as the person does it, a script of
/// movements, the motion of the watch through the arm's kinematics, truth from the undisturbed motion,
/// samples from the full one through a sensor model. The model is described in `docs/synthesis.md`.
///
/// ```swift
/// let synthesizer = try RecordingSynthesizer(SynthesisOptions(seed: 7, exercise: .curl, reps: 10))
/// let curls = synthesizer.make()
/// print(curls.truth.map(\.reps.count))  // [10]
/// ```
package struct RecordingSynthesizer: Sendable {
  package let options: SynthesisOptions

  /// - Throws: ``SynthesisError`` where an option is outside its range.
  package init(_ options: SynthesisOptions) throws(SynthesisError) {
    try options.validate()
    self.options = options
  }

  /// The recording. About 15 µs per sample.
  package func make() -> SyntheticRecording { scene().record() }

  /// The model behind the recording, for tests.
  func scene() -> Scene { Scene(options: options) }
}
