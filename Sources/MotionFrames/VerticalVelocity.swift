/// The wrist's vertical velocity, integrated from its acceleration in the last seconds.
///
/// A squat or a deadlift may hardly turn the wrist, and the way down begins and ends with the same
/// accelerations as the way up; only their velocities are opposite. Only the vertical component is accurate
/// enough: an error in the direction of gravity enters it only by its square. The integral leaks, because a
/// sensor's offset would make it grow without bound.
struct VerticalVelocity: Sendable, PlainValue {
  /// Angular frequency of a typical rep of 2.5 s, in rad/s. Scales velocity so that a swing at this tempo is
  /// as large in velocity as in acceleration.
  private static let typicalAngularFrequency = 2 * Double.pi / 2.5
  private var sum = 0.0

  /// Integrates the next acceleration (in g) along gravity, a unit vector.
  ///
  /// - Parameter memorySeconds: time constant of the leak, in seconds.
  /// - Returns: velocity times the angular frequency of a typical rep, in g.
  mutating func callAsFunction(
    acceleration: SIMD4<Double>, gravity: SIMD4<Double>, memorySeconds: Double
  ) -> Double {
    sum += ((acceleration * gravity).sum() - sum / memorySeconds) * FrontEnd.internalIntervalSeconds
    return sum * Self.typicalAngularFrequency
  }
}
