/// Durations of a rep's phases, in seconds.
package struct Tempo: Sendable, Hashable {
  /// Lifting.
  package var concentric: Double
  /// Pause with the muscle shortened: the top of a curl or a squat.
  package var contractedPause = 0.0
  /// Lowering.
  package var eccentric: Double
  /// Pause with the muscle lengthened: the bottom of a curl or a squat.
  package var stretchedPause = 0.0

  /// Duration of a rep.
  package var period: Double { concentric + contractedPause + eccentric + stretchedPause }
}
