import Motion

/// The ground truth of a set. Times are in seconds on the samples' clock.
package struct TrueSet: Sendable, Hashable {
  package var exercise: ExerciseFamily
  package var style: SetStyle
  package var identity: SetIdentity
  /// Start of the first rep, and end of the last.
  package var start: Double
  package var end: Double
  /// Full reps of the watch's side, or of both sides for alternating legs, in order.
  package var reps: [TrueRep]
  /// Movements that begin like a rep but cover less than half its range; not counted.
  package var partialReps: [TrueRep]
  /// Time between the app's messages that the set began and ended, sampled at the execution rate.
  package var execution: ClosedRange<Double>
  /// Loss of mean concentric angular speed from the best to the last full rep, in percent of the best.
  package var velocityLossPercent: Double

  /// Number of reps of one side of the body.
  package var repsPerSide: Int {
    exercise.alternation == .bothSidesSeen ? (reps.count + 1) / 2 : reps.count
  }

  /// Number of reps of both sides together; equal to `repsPerSide` if they work at the same time.
  package var repsOfBothSides: Int {
    exercise.alternation == .otherSideUnseen ? 2 * reps.count : reps.count
  }
}
