/// Tells walking from exercise. Walking repeats as well as any set: what sets it apart is
/// that the arm hangs and swings like a pendulum once a stride, while the body bounces with each step: so
/// much turning for so much bouncing.
enum Gait {
  static func isWalking(
    _ frames: ArraySlice<MotionFrame>, period: Double, configuration: DetectorConfiguration
  ) -> Bool {
    guard configuration.strideSeconds.contains(period), !frames.isEmpty else { return false }
    var forearm: Float = 0
    var bounce: (sum: Float, square: Float) = (0, 0)
    var rotation: (sum: SIMD4<Float>, square: SIMD4<Float>) = (.zero, .zero)
    for f in frames {
      forearm += f.gravity.x
      let vertical = f.verticalAcceleration
      bounce.sum += vertical
      bounce.square += vertical * vertical
      rotation.sum += f.rotation
      rotation.square += f.rotation * f.rotation
    }
    let n = Float(frames.count)
    let vertical = max(0, bounce.square / n - bounce.sum / n * (bounce.sum / n)).squareRoot()
    let turn = max(0, (rotation.square / n - rotation.sum / n * (rotation.sum / n)).sum())
    return (forearm / n).magnitude >= configuration.hangingForearmG
      && vertical > 0 && configuration.swingPerBounce.contains(turn.squareRoot() / vertical)
  }
}
