import MotionFrames
import SignalProcessing

/// The forearm's posture, turning and bouncing, which distinguish walking from exercise.
///
/// Walking is as repetitive as a set. However, the arm keeps about one posture and swings once a stride,
/// while the body bounces with each step: a characteristic ratio of turning to bouncing. In a slow push-up
/// the forearm turns as much but hardly bounces; in jumping jacks it turns faster than in any walk.
///
/// All figures are independent of the orientation of the device's axes on the forearm, which differs between
/// devices.
struct ForearmMotion: Sendable, PlainValue {
  /// Constancy of the posture: length of the mean direction of gravity, 0 to 1.
  let steadiness: Float
  /// Mean angular speed.
  let speedRadPerS: Float
  /// Evenness of the turning: squared mean angular speed over the mean of its square. 0.8 if the arm swings
  /// to and fro, 0.25 if it rests for three quarters of the time.
  let evenness: Float
  /// Standard deviation of the acceleration along gravity.
  let bounceG: Float

  init(_ frames: ArraySlice<MotionFrame>) {
    var direction = SIMD4<Float>()
    var speed: Float = 0
    var squaredSpeed: Float = 0
    var level: Float = 0
    for frame in frames {
      direction += frame.gravity / max(frame.gravityLength, 1e-6)
      speed += frame.squaredAngularSpeed.squareRoot()
      squaredSpeed += frame.squaredAngularSpeed
      level += frame.verticalAcceleration
    }
    let n = Float(max(frames.count, 1))
    level /= n
    let variance = frames.reduce(Float(0)) {
      let offset = $1.verticalAcceleration - level
      return $0 + offset * offset
    }
    steadiness = (direction * direction).sum().squareRoot() / n
    speedRadPerS = speed / n
    evenness = speed * speed / max(squaredSpeed * n, 1e-9)
    bounceG = (variance / n).squareRoot()
  }

  /// Returns the similarity to walking, 0 to 1.
  ///
  /// - Parameter period: Period of the movement, in seconds.
  func gait(period: Float) -> Float {
    let turnPerBounce = Math.log((speedRadPerS + 0.02) / (bounceG + 0.01))
    // Walkers bounce by at least 0.07 g, and turn the wrist by at most 3 rad/s.
    let stillness = Self.square(Self.square(0.035 / max(bounceG, 1e-4)))
    let haste = Self.square(Self.square(Self.square(speedRadPerS / 3.5)))
    return Self.stride(period) * steadiness * steadiness * Math.bell((turnPerBounce - 2.2) / 0.6)
      / (1 + stillness + haste)
  }

  /// Returns how close a period is to that of a stride, 0 to 1.
  static func stride(_ seconds: Float) -> Float { Math.bell(Math.log(seconds / 1.12) / 0.25) }

  private static func square(_ x: Float) -> Float { x * x }
}
