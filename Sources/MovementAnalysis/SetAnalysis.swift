/// What a set's movement was like. A figure that the data cannot support is nil.
///
/// `docs/analysis.md` defines every figure with its formula, source and limits.
public struct SetAnalysis: Sendable, Hashable {
  /// Nil where no signal carries the movement, or there is no rep.
  public var curve: MovementCurve?
  public var phaseOrder: RepPhaseOrder
  public var reps: [RepAnalysis]
  /// How alike the reps are, 0 to 1.
  public var consistency: Double?
  /// How much of the set's best range the reps reach on average, 0 to 1.
  public var range: Double?
  /// How evenly both phases are timed, 0 to 1.
  public var tempoControl: Double?
  /// How close to the set's best concentric speed the reps stay on average, 0 to 1.
  public var intensity: Double?
  public var fatigue: Fatigue?

  /// How much was lost from the best to the last rep.
  public struct Fatigue: Sendable, Hashable {
    /// Per cent of the best rep's mean concentric speed; 0 where the last is the best.
    public var velocityLoss: Double
    /// Per cent of the largest range of motion.
    public var rangeLoss: Double?
    public var recovery: RecoveryHint

    init(velocityLoss: Double, rangeLoss: Double?) {
      self.velocityLoss = velocityLoss
      self.rangeLoss = rangeLoss
      recovery = RecoveryHint(velocityLoss: velocityLoss)
    }
  }
}

/// How long to rest after a set, from the speed that it cost. A rule of thumb, no prescription.
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
