import SignalProcessing

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

  /// Seconds that the middle one of the reps by duration takes; nil without a rep.
  public var typicalDuration: Double? { median(of: reps.map { $0.duration }) }

  /// Degrees by which the wrist turns in the middle one of the reps by that; nil where not known.
  public var typicalRotationRange: Double? { median(of: reps.compactMap { $0.rotationRange }) }

  /// What tells of tiring: how the last reps differ from the first or the best ones. At least one
  /// figure is known.
  public struct Fatigue: Sendable, Hashable {
    /// Per cent by which reps took longer at the set's end than at its begin, by a robust line through
    /// the durations; 0 where they did not.
    public var slowdown: Double?
    /// Per cent by which the wrist turned less at the set's end than at its begin, by a robust line
    /// through ``RepAnalysis/rotationRange``; 0 where it did not.
    public var rotationLoss: Double?
    /// Per cent of the best rep's mean concentric speed that the last one lacks; 0 where the last is
    /// the best.
    public var velocityLoss: Double?
    /// Per cent of the largest range of motion that the last rep lacks.
    public var rangeLoss: Double?

    /// Nil where the loss of speed is not known.
    public var recovery: RecoveryHint? { velocityLoss.map { RecoveryHint(velocityLoss: $0) } }

    /// Nil where nothing is known.
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
