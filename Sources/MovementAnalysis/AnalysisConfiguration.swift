/// The phase with which the reps of an exercise begin.
public enum RepPhaseOrder: String, Sendable, Hashable, Codable, CaseIterable {
  /// As in a curl, a row, a pull-down: the starting posture is the end of the eccentric phase.
  case concentricFirst
  /// As in a bench press or a squat: the starting posture is the end of the concentric phase.
  case eccentricFirst
}

/// Settings and thresholds of the analysis of a set.
public struct AnalysisConfiguration: Sendable, Hashable {
  /// The order of phases. Sensors at the wrist cannot determine the direction of the load; callers that know
  /// the exercise set it.
  public var phaseOrder: RepPhaseOrder
  /// Sampling rate of the movement curve.
  public var curveRateHz: Double
  /// Longest interval between samples that is bridged; no figure is computed across a longer gap.
  public var longestBridgedGapSeconds: Double
  /// True to measure phase times, ranges and speeds, which takes most of the time.
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
