import SignalProcessing

/// The analysis of a set's movement. A figure that the data cannot support is nil.
///
/// `docs/analysis.md` defines every figure with its formula, source and limits.
public struct SetAnalysis: Sendable, Hashable {
  /// Nil if no signal contains the movement, or the set has no reps.
  public var curve: MovementCurve?
  public var phaseOrder: RepPhaseOrder
  public var reps: [RepAnalysis]
  /// Mean similarity of the reps, 0 to 1.
  public var consistency: Double?
  /// Mean range of the reps as a fraction of the set's best, 0 to 1.
  public var range: Double?
  /// Regularity of the times of both phases, 0 to 1.
  public var tempoControl: Double?
  /// Mean concentric speed of the reps as a fraction of the set's best, 0 to 1.
  public var intensity: Double?
  public var fatigue: Fatigue?

  /// Median of the reps' durations, in seconds; nil without reps.
  public var typicalDuration: Double? { median(of: reps.map { $0.duration }) }

  /// Median of the reps' rotation ranges, in degrees; nil if unknown.
  public var typicalRotationRange: Double? { median(of: reps.compactMap { $0.rotationRange }) }

  /// Signs of fatigue: differences of the last reps from the first or the best ones. At least one figure is
  /// known.
  public struct Fatigue: Sendable, Hashable {
    /// Increase in the reps' durations over the set, in percent, by a robust line; 0 if they did not increase.
    public var slowdown: Double?
    /// Decrease in ``RepAnalysis/rotationRange`` over the set, in percent, by a robust line; 0 if it did not
    /// decrease.
    public var rotationLoss: Double?
    /// Loss of mean concentric speed from the best rep to the last, in percent; 0 if the last is the best.
    public var velocityLoss: Double?
    /// Loss of range of motion from the largest to the last rep, in percent.
    public var rangeLoss: Double?

    /// Nil if ``velocityLoss`` is unknown.
    public var recovery: RecoveryHint? { velocityLoss.map { RecoveryHint(velocityLoss: $0) } }

    /// Returns nil if no figure is known.
    init?(slowdown: Double?, rotationLoss: Double?, velocityLoss: Double?, rangeLoss: Double?) {
      guard [slowdown, rotationLoss, velocityLoss, rangeLoss].contains(where: { $0 != nil }) else {
        return nil
      }
      self.slowdown = slowdown
      self.rotationLoss = rotationLoss
      self.velocityLoss = velocityLoss
      self.rangeLoss = rangeLoss
    }
  }
}

/// Suggested rest after a set, from the velocity loss. A rule of thumb, not a prescription.
public enum RecoveryHint: String, Sendable, Hashable, Codable, CaseIterable {
  /// Less than 10 % lost: far from failure.
  case short
  /// 10 to 20 %.
  case moderate
  /// 20 to 40 %.
  case long
  /// 40 % and more: at or near failure.
  case full

  init(velocityLoss: Double) {
    self =
      switch velocityLoss {
      case ..<10: .short
      case ..<20: .moderate
      case ..<40: .long
      default: .full
      }
  }

  public var restSeconds: ClosedRange<Int> {
    switch self {
    case .short: 60...90
    case .moderate: 90...120
    case .long: 120...180
    case .full: 180...300
    }
  }
}
