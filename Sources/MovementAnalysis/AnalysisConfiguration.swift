/// With which phase the reps of an exercise begin.
public enum RepPhaseOrder: String, Sendable, Hashable, Codable, CaseIterable {
  /// As in a curl, a row, a pull-down: the starting posture is the end of the eccentric phase.
  case concentricFirst
  /// As in a bench press or a squat: the starting posture is the end of the concentric phase.
  case eccentricFirst
}

/// What the analysis of a set needs to be told, and its few thresholds.
public struct AnalysisConfiguration: Sendable, Hashable {
  /// A wrist alone does not tell which way the load pulls: who knows the exercise says it here.
  public var phaseOrder: RepPhaseOrder
  /// Points per second of the movement curve.
  public var curveRateHz: Double
  /// Samples further apart than this leave a gap: no figure is made up across it.
  public var longestBridgedGapSeconds: Double
  /// True to measure the times of phases, and with them ranges and speeds: most of the work.
  public var measuresPhases: Bool

  public init(
    phaseOrder: RepPhaseOrder = .concentricFirst, curveRateHz: Double = 25,
    longestBridgedGapSeconds: Double = 0.3, measuresPhases: Bool = true
  ) {
    self.phaseOrder = phaseOrder
    self.curveRateHz = curveRateHz
    self.longestBridgedGapSeconds = longestBridgedGapSeconds
    self.measuresPhases = measuresPhases
  }
}
