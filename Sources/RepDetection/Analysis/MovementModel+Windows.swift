import Motion

extension MovementModel {
  /// The signals that the model explains, on the grid of the motion.
  struct Signals {
    /// rad/s, in the device's frame.
    var rotation: [SIMD3<Double>]
    /// g, in the outer frame, gravity taken off; nil without an accelerometer.
    var acceleration: [SIMD3<Double>]?

    init?(_ motion: AlignedMotion, orientation: OrientationTrack) {
      guard let rotation = motion.rotationRate else { return nil }
      self.rotation = rotation
      acceleration = orientation.outerAcceleration(motion)
    }
  }

  /// - Parameter span: seconds on the samples' clock.
  static func window(
    _ signals: Signals, _ motion: AlignedMotion, span: ClosedRange<Double>,
    intervalsAtMost: Int
  ) -> Window? {
    let low = motion.index(at: span.lowerBound)
    let high = motion.index(at: span.upperBound)
    guard high - low > 12, !motion.isGap[low...high].contains(true) else { return nil }
    let stride = max(2, (high - low + intervalsAtMost - 1) / intervalsAtMost)
    let count = (high - low + 1) / stride
    guard count > 10 else { return nil }
    let step = 1 / AlignedMotion.rateHz
    func means(_ values: (Int) -> SIMD3<Double>) -> [[Double]] {
      var result = [[Double]](repeating: [], count: 3)
      for interval in 0..<count {
        var sum = SIMD3<Double>()
        for row in 0..<stride { sum += values(low + interval * stride + row) }
        for axis in 0..<3 { result[axis].append(sum[axis] / Double(stride)) }
      }
      return result
    }
    var result = Window(
      start: motion.time(low) - step / 2, interval: Double(stride) * step,
      channels: means { signals.rotation[$0] }, firstVelocity: 3,
      drift: Window.driftCourses(order: 1, count: count))
    if let acceleration = signals.acceleration {
      var velocity: [SIMD3<Double>] = []
      var sum = SIMD3<Double>()
      let scale = AccelerationUnit.standardGravity * step
      for row in low...high {
        // The velocity in the middle of the row's interval.
        sum += acceleration[row] * (scale / 2)
        velocity.append(sum)
        sum += acceleration[row] * (scale / 2)
      }
      var rows = means { velocity[$0 - low] }
      for axis in 0..<3 { result.takeOffDrift(&rows[axis], from: 0) }
      result.channels += rows
    }
    return result
  }
}
