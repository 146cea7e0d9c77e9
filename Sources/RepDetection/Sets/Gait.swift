/// Tells walking from exercise (step 9). Walking repeats as well as any set: what sets it apart is
/// that the arm hangs and swings like a pendulum once a stride, while the body bounces gently with
/// each step. An exercise with hanging arms either does not swing them (deadlift, lunge, calf raise)
/// or swings them far (kettlebell), and a push-up, with the forearm upright too, does not bounce.
enum Gait {
  static func isWalking(
    _ frames: ArraySlice<MotionFrame>, period: Double, configuration: DetectorConfiguration
  ) -> Bool {
    guard configuration.strideSeconds.contains(period), !frames.isEmpty else { return false }
    var forearm: Float = 0
    var bounce: (sum: Float, square: Float) = (0, 0)
    var gravity: (sum: SIMD4<Float>, square: SIMD4<Float>) = (.zero, .zero)
    var rotation: (sum: SIMD4<Float>, square: SIMD4<Float>) = (.zero, .zero)
    for f in frames {
      forearm += f.gravity.x
      let vertical = f.verticalAcceleration
      bounce.sum += vertical
      bounce.square += vertical * vertical
      gravity.sum += f.gravity
      gravity.square += f.gravity * f.gravity
      rotation.sum += f.rotation
      rotation.square += f.rotation * f.rotation
    }
    let n = Float(frames.count)
    let vertical = max(0, bounce.square / n - bounce.sum / n * (bounce.sum / n)).squareRoot()
    let swing = max(0, (gravity.square / n - gravity.sum / n * (gravity.sum / n)).sum())
    let turn = max(0, (rotation.square / n - rotation.sum / n * (rotation.sum / n)).sum())
    return (forearm / n).magnitude >= configuration.hangingForearmG
      && swing.squareRoot() <= configuration.widestArmSwingG
      && vertical >= configuration.leastBounceG
      && configuration.swingPerBounce.contains(turn.squareRoot() / vertical)
  }
}
