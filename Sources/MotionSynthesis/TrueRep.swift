/// A rep as it really was. Times in seconds on the samples' clock.
public struct TrueRep: Sendable, Hashable {
  /// Where the angular speed of the undisturbed movement first exceeds 10 % of this rep's peak.
  public var start: Double
  /// Where it is below 10 % again for the rest of the rep.
  public var end: Double
  /// When the movement to the far posture begins and ends, and when the way back begins and ends,
  /// as planned: `outStart ≤ outEnd ≤ backStart ≤ backEnd`. The pause at the turnaround lies between
  /// `outEnd` and `backStart`.
  public var outStart: Double
  public var outEnd: Double
  public var backStart: Double
  public var backEnd: Double
  /// The part of the exercise's full range that was reached; 0.25 to 0.45 for a partial rep.
  public var range: Double
  /// Degrees of rotation between the watch's attitude at the start and at the turnaround.
  public var rotationDegrees: Double
  /// Degrees by which the forearm's long axis turned between the start and the turnaround.
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
