/// What the wrist does at one instant of the detector's own even clock. Lane 3 of gravity and rotation is
/// always 0.
struct MotionFrame: Sendable, Hashable, Codable {
  /// Direction of gravity in the device's frame, in g.
  var gravity: SIMD4<Float>
  /// Rad/s.
  var rotation: SIMD4<Float>
  /// Acceleration without gravity, in g. Lane 3 is how fast the wrist rises (``VerticalVelocity``).
  var userAcceleration: SIMD4<Float>

  /// Squared angular speed, rad²/s².
  var squaredAngularSpeed: Float { (rotation * rotation).sum() }

  /// In g.
  var gravityLength: Float { (gravity * gravity).sum().squareRoot() }

  /// The part of the acceleration that lies along gravity, in g.
  var verticalAcceleration: Float {
    let length = gravityLength
    return length > 0 ? (userAcceleration * gravity).sum() / length : 0
  }
}

/// Frames with their times.
struct TimedFrames: Sendable {
  var frames: [MotionFrame] = []
  /// Seconds on the samples' clock, one per frame; strictly increasing.
  var times: [Double] = []
  /// Whether no sensor measured, so that the frame is made up.
  var isMissing: [Bool] = []
  /// Whether it lies before the first sample of its segment or after the last.
  var isBeyondSignal: [Bool] = []
  /// The share of them whose rotation was measured, not computed.
  var shareOfMeasuredRotation = 1.0

  var count: Int { frames.count }
}

/// One frame with its time.
struct TimedFrame: Sendable {
  /// The clock of its segment of signal, and which of its frames this is.
  var clock: FrameTimes.Clock
  var number: Int
  var frame: MotionFrame
  var isRest: Bool
  /// Time of the sample that completed this frame, s.
  var arrival: Double
  /// Whether no sensor measured, so that the frame is made up.
  var isMissing = false
  /// Whether it lies before the first sample of its segment or after the last.
  var isBeyondSignal = false
  /// Whether rotation was measured, not computed.
  var hasRotation: Bool
  /// Whether signal is missing before this frame, so that nothing may be joined across it.
  var startsAfterBreak: Bool

  /// Seconds on the samples' clock.
  var time: Double { clock.time(ofFrame: number) }

  /// Whether no sample has a part in it: it is rest before or after the signal.
  var isMadeUp: Bool { number < 0 || time > arrival }
}
