import Motion
import SignalProcessing

/// What of a pattern tells one exercise from another, ready to be compared: how the arm is held, which
/// way it moves, and how fast.
struct MovementShape: Sendable {
  /// The mean direction of gravity, of length 1.
  private let posture: SIMD3<Float>
  /// Gravity and the rotation rate over the phases without their means, each of length 1 in all.
  private let gravity, rotation: [SIMD3<Float>]
  /// The logarithms of the root mean square rotation rate about each axis.
  private let speed: SIMD3<Float>

  /// Added to a rotation rate before its logarithm is taken, rad/s: what a wrist at rest does.
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
    let centred = curve.map { $0 - mean }
    let length = centred.reduce(Float(0)) { $0 + ($1 * $1).sum() }.squareRoot()
    return length > 1e-6 ? centred.map { $0 / length } : centred
  }

  /// How unlike two movements are, from 0. The curves are compared at that of the phases where they
  /// agree best: where a rep begins is a matter of convention.
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

/// How known movements are weighed against each other. `tools/known-movements` fits them.
struct RecognitionWeights: Sendable {
  /// How much of a distance the curves, the posture and the speeds make.
  var curves: Float
  var posture: Float
  var speed: Float
  /// After so many days a person does an exercise half as likely again.
  var halfLifeDays: Double
  /// What an exercise that is not known counts, where one at distance 0 counts 1.
  var none: Double

  /// None where values are so large that there is no distance.
  func likeness(atDistance distance: Double) -> Double {
    distance < .infinity ? Math.exp(-distance) : 0
  }

  /// How likely what was done so long ago is done again, 1 for the same day.
  func recency(ageDays: Double) -> Double {
    Math.exp(-ageDays / halfLifeDays * Math.log(Double(2)))
  }
}
