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
