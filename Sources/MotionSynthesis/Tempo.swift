/// Times of a rep's phases in seconds.
public struct Tempo: Sendable, Hashable {
  /// Lifting.
  public var concentric: Double
  /// Pause with the muscle shortened: the top of a curl or a squat.
  public var contractedPause: Double
  /// Lowering.
  public var eccentric: Double
  /// Pause with the muscle lengthened: the bottom of a curl or a squat.
  public var stretchedPause: Double

  public init(
    concentric: Double, contractedPause: Double = 0, eccentric: Double, stretchedPause: Double = 0
  ) {
    self.concentric = concentric
    self.contractedPause = contractedPause
    self.eccentric = eccentric
    self.stretchedPause = stretchedPause
  }

  /// Seconds per rep.
  public var period: Double { concentric + contractedPause + eccentric + stretchedPause }
}
