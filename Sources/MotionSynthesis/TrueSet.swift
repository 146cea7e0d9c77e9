import Motion

/// A set as it really was. Times in seconds on the samples' clock.
public struct TrueSet: Sendable, Hashable {
  public var exercise: ExerciseFamily
  public var style: SetStyle
  public var identity: SetIdentity
  /// Begin of the first rep and end of the last.
  public var start: Double
  public var end: Double
  /// Full reps that the watch's side performs (for alternating legs: of both sides), in order.
  public var reps: [TrueRep]
  /// Movements that begin like a rep and stay below half its range; not counted.
  public var partialReps: [TrueRep]
  /// When the app said that the set began and ended: the span sampled at the execution rate.
  public var execution: ClosedRange<Double>
  /// Loss of mean concentric angular speed from the best to the last full rep, in percent of the
  /// best.
  public var velocityLossPercent: Double

  /// Reps of one side of the body.
  public var repsPerSide: Int {
    exercise.alternation == .bothSidesSeen ? (reps.count + 1) / 2 : reps.count
  }

  /// Reps of both sides together; equal to `repsPerSide` where the sides work at the same time.
  public var repsOfBothSides: Int {
    exercise.alternation == .otherSideUnseen ? 2 * reps.count : reps.count
  }
}

/// A rep as it really was. Times in seconds on the samples' clock.
public struct TrueRep: Sendable, Hashable {
  /// Where the angular speed of the undisturbed movement first exceeds 10 % of this rep's peak.
  public var start: Double
  /// Where it is below 10 % again for the rest of the rep.
  public var end: Double
  /// When the movement to the far posture begins and ends, and when the way back begins and ends,
  /// as planned: `outStart ≤ outEnd ≤ backStart ≤ backEnd`. The pause at the far end lies between
  /// `outEnd` and `backStart`.
  public var outStart: Double
  public var outEnd: Double
  public var backStart: Double
  public var backEnd: Double
  /// The part of the exercise's full range that was reached; 0.25 to 0.45 for a partial rep.
  public var range: Double
  /// Degrees of rotation between the watch's attitude at the start and at the far end.
  public var rotationDegrees: Double
  /// Degrees by which the forearm's long axis turned between the start and the far end.
  public var forearmDegrees: Double
  /// Largest angular speed of the undisturbed movement, rad/s.
  public var peakAngularSpeed: Double

  /// Seconds spent lifting and lowering.
  public func phaseTimes(of exercise: ExerciseFamily) -> (concentric: Double, eccentric: Double) {
    let out = outEnd - outStart
    let back = backEnd - backStart
    return exercise.startsConcentric ? (out, back) : (back, out)
  }

  /// Mean angular speed of the lifting phase, degrees per second.
  public func concentricSpeed(in exercise: ExerciseFamily) -> Double {
    rotationDegrees / phaseTimes(of: exercise).concentric
  }
}
