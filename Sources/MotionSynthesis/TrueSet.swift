import Motion

/// A set as it really was. Times in seconds on the samples' clock.
package struct TrueSet: Sendable, Hashable {
  package var exercise: ExerciseFamily
  package var style: SetStyle
  package var identity: SetIdentity
  /// Begin of the first rep and end of the last.
  package var start: Double
  package var end: Double
  /// Full reps that the watch's side performs (for alternating legs: of both sides), in order.
  package var reps: [TrueRep]
  /// Movements that begin like a rep and stay below half its range; not counted.
  package var partialReps: [TrueRep]
  /// The span between the app's statements that the set began and ended, sampled at the execution rate.
  package var execution: ClosedRange<Double>
  /// Loss of mean concentric angular speed from the best to the last full rep, in percent of the best.
  package var velocityLossPercent: Double

  /// Reps of one side of the body.
  package var repsPerSide: Int {
    exercise.alternation == .bothSidesSeen ? (reps.count + 1) / 2 : reps.count
  }

  /// Reps of both sides together; equal to `repsPerSide` where the sides work at the same time.
  package var repsOfBothSides: Int {
    exercise.alternation == .otherSideUnseen ? 2 * reps.count : reps.count
  }
}
