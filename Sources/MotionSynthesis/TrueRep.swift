/// The ground truth of a rep. Times are in seconds on the samples' clock.
package struct TrueRep: Sendable, Hashable {
  /// Time when the angular speed of the undisturbed movement first exceeds 10 % of this rep's peak.
  package var start: Double
  /// Time from which it stays below 10 % until the rep ends.
  package var end: Double
  /// Start and end of the movement to the far posture and of the way back, as planned: `outStart ≤ outEnd ≤
  /// backStart ≤ backEnd`. The pause at the turnaround is between `outEnd` and `backStart`.
  package var outStart: Double
  package var outEnd: Double
  package var backStart: Double
  package var backEnd: Double
  /// Fraction of the exercise's full range that was reached; 0.25 to 0.45 for a partial rep.
  package var range: Double
  /// Rotation of the watch between start and turnaround, in degrees.
  package var rotationDegrees: Double
  /// Rotation of the forearm's long axis between start and turnaround, in degrees.
  package var forearmDegrees: Double
  /// Peak angular speed of the undisturbed movement, in rad/s.
  package var peakAngularSpeed: Double

  /// Returns the durations of lifting and lowering, in seconds.
  package func phaseTimes(of exercise: ExerciseFamily) -> (concentric: Double, eccentric: Double) {
    let out = outEnd - outStart
    let back = backEnd - backStart
    return exercise.startsConcentric ? (out, back) : (back, out)
  }

  /// Returns the mean angular speed of the lifting phase, in degrees per second.
  package func concentricSpeed(in exercise: ExerciseFamily) -> Double {
    rotationDegrees / phaseTimes(of: exercise).concentric
  }
}
