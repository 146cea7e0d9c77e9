/// How fast the wrist rises, by what it has accelerated in the last seconds.
///
/// A squat or a deadlift may hardly turn the wrist, and the way down begins and ends with the same accelerations
/// as the way up. Their velocities are opposite. Only the vertical part is known well enough: where gravity's
/// direction is wrong, the square of that error is all of gravity that is left in it. The sum forgets, or it would
/// grow with every offset of the sensor.
struct VerticalVelocity: Sendable, Codable {
  /// Of a typical rep of 2.5 s, rad/s: a swing at this pace is as large in velocity as in acceleration.
  private static let typicalAngularFrequency = 2 * Double.pi / 2.5
  private var sum = 0.0

  /// Takes the next acceleration (g) along gravity, a vector of length 1.
  ///
  /// - Parameter memorySeconds: after which the sum has forgotten 63 % of what it was.
  /// - Returns: velocity times the angular frequency of a typical rep, in g.
  mutating func callAsFunction(
    acceleration: SIMD4<Double>, gravity: SIMD4<Double>, memorySeconds: Double
  ) -> Double {
    sum += ((acceleration * gravity).sum() - sum / memorySeconds) * FrontEnd.internalIntervalSeconds
    return sum * Self.typicalAngularFrequency
  }
}
