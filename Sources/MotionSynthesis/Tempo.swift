/// Times of a rep's phases in seconds.
package struct Tempo: Sendable, Hashable {
  /// Lifting.
  package var concentric: Double
  /// Pause with the muscle shortened: the top of a curl or a squat.
  package var contractedPause: Double
  /// Lowering.
  package var eccentric: Double
  /// Pause with the muscle lengthened: the bottom of a curl or a squat.
  package var stretchedPause: Double

  package init(
    concentric: Double, contractedPause: Double = 0, eccentric: Double, stretchedPause: Double = 0
  ) {
    self.concentric = concentric
    self.contractedPause = contractedPause
    self.eccentric = eccentric
    self.stretchedPause = stretchedPause
  }

  /// Seconds per rep.
  package var period: Double { concentric + contractedPause + eccentric + stretchedPause }
}
