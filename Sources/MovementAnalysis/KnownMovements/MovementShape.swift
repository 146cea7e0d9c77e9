import Motion
import SignalProcessing

/// Features of a pattern that distinguish exercises, ready for comparison: the arm's posture, the direction
/// of its movement, and its speed.
struct MovementShape: Sendable {
  /// The mean direction of gravity, unit length.
  private let posture: SIMD3<Float>
  /// Gravity and rotation rate over the rep phases, minus their means; each curve has unit norm.
  private let gravity, rotation: [SIMD3<Float>]
  /// Logarithms of the root mean square rotation rate about each axis.
  private let speed: SIMD3<Float>

  /// Rotation rate of a wrist at rest, in rad/s. Added before the logarithm is taken.
  private static let restingSpeed: Float = 0.02

  init(_ pattern: MovementPattern) {
    let mean = pattern.phases.reduce(SIMD3<Float>()) { $0 + $1.gravity }
    let length = (mean * mean).sum().squareRoot()
    posture = length > 0 ? mean / length : mean
    gravity = Self.unit(pattern.phases.map { $0.gravity })
    rotation = Self.unit(pattern.phases.map { $0.rotation })
    let squares = pattern.phases.reduce(SIMD3<Float>()) { $0 + $1.rotation * $1.rotation }
    let rates = (squares / Float(pattern.phases.count)).squareRoot() + Self.restingSpeed
    speed = SIMD3(Math.log(rates.x), Math.log(rates.y), Math.log(rates.z))
  }

  private static func unit(_ curve: [SIMD3<Float>]) -> [SIMD3<Float>] {
    let mean = curve.reduce(SIMD3<Float>(), +) / Float(curve.count)
    let centered = curve.map { $0 - mean }
    let length = centered.reduce(Float(0)) { $0 + ($1 * $1).sum() }.squareRoot()
    return length > 1e-6 ? centered.map { $0 / length } : centered
  }

  /// Returns the distance between two movements, at least 0. The curves are compared at the phase shift of
  /// best agreement, because where a rep begins is a matter of convention.
  func distance(to other: MovementShape, _ weights: RecognitionWeights) -> Double {
    let count = gravity.count
    var curves = Float.infinity
    for shift in 0..<count {
      var sum = Float(0)
      for phase in 0..<count {
        let shifted = phase + shift < count ? phase + shift : phase + shift - count
        let gravities = gravity[phase] - other.gravity[shifted]
        let rotations = rotation[phase] - other.rotation[shifted]
        sum += (gravities * gravities + rotations * rotations).sum()
      }
      curves = min(curves, sum)
    }
    let postures = posture - other.posture
    let speeds = speed - other.speed
    return Double(
      weights.curves * curves + weights.posture * (postures * postures).sum()
        + weights.speed * (speeds * speeds).sum())
  }
}

/// Weights for comparing known movements, fitted by `tools/known-movements`.
struct RecognitionWeights: Sendable {
  /// Weights of the curves, the posture and the speeds in a distance.
  var curves: Float
  var posture: Float
  var speed: Float
  /// Time after which a person is half as likely to repeat an exercise, in days.
  var halfLifeDays: Double
  /// Weight of an unknown exercise, relative to 1 for an example at distance 0.
  var none: Double

  /// Returns the similarity at a distance, 0 to 1; 0 if values are so large that the distance overflows.
  func similarity(atDistance distance: Double) -> Double {
    distance < .infinity ? Math.exp(-distance) : 0
  }

  /// Returns the relative probability that an exercise is repeated after a time, 1 for the same day.
  func recency(ageDays: Double) -> Double {
    Math.exp(-ageDays / halfLifeDays * Math.log(Double(2)))
  }
}
