/// The wrist's vertical velocity, integrated from its acceleration over the last seconds.
///
/// In a squat or a deadlift that hardly turns the wrist, the way down begins and ends with the same
/// accelerations as the way up; only the velocities are opposite. Only the vertical component is accurate
/// enough, because an error in the direction of gravity affects it only by its square. The integral leaks,
/// because a sensor's offset would make it grow without bound.
struct VerticalVelocity: Sendable, PlainValue {
  /// Angular frequency of a typical rep of 2.5 s, in rad/s. It scales velocity so that a swing at this tempo
  /// is as large in velocity as in acceleration.
  private static let typicalAngularFrequency = 2 * Double.pi / 2.5
  private var sum = 0.0

  /// Integrates the next acceleration (in g) along gravity, a unit vector.
  ///
  /// - Parameter memorySeconds: Time constant of the leak, in seconds.
  /// - Returns: Velocity times the angular frequency of a typical rep, in g.
  mutating func callAsFunction(
    acceleration: SIMD4<Double>, gravity: SIMD4<Double>, memorySeconds: Double
  ) -> Double {
    sum += ((acceleration * gravity).sum() - sum / memorySeconds) * FrontEnd.internalIntervalSeconds
    return sum * Self.typicalAngularFrequency
  }
}
