/// A rep as it really was. Times in seconds on the samples' clock.
package struct TrueRep: Sendable, Hashable {
  /// Where the angular speed of the undisturbed movement first exceeds 10 % of this rep's peak.
  package var start: Double
  /// Where it is below 10 % again for the rest of the rep.
  package var end: Double
  /// When the movement to the far posture begins and ends, and when the way back begins and ends,
  /// as planned: `outStart ≤ outEnd ≤ backStart ≤ backEnd`. The pause at the turnaround lies between
  /// `outEnd` and `backStart`.
  package var outStart: Double
  package var outEnd: Double
  package var backStart: Double
  package var backEnd: Double
  /// The part of the exercise's full range that was reached; 0.25 to 0.45 for a partial rep.
  package var range: Double
  /// Degrees of rotation between the watch's attitude at the start and at the turnaround.
  package var rotationDegrees: Double
  /// Degrees by which the forearm's long axis turned between the start and the turnaround.
  package var forearmDegrees: Double
  /// Largest angular speed of the undisturbed movement, rad/s.
  package var peakAngularSpeed: Double

  /// Seconds spent lifting and lowering.
  package func phaseTimes(of exercise: ExerciseFamily) -> (concentric: Double, eccentric: Double) {
    let out = outEnd - outStart
    let back = backEnd - backStart
    return exercise.startsConcentric ? (out, back) : (back, out)
  }

  /// Mean angular speed of the lifting phase, degrees per second.
  package func concentricSpeed(in exercise: ExerciseFamily) -> Double {
    rotationDegrees / phaseTimes(of: exercise).concentric
  }
}
