/// The wrist's motion at one instant of the detector's even clock. Lane 3 of gravity and rotation is always
/// 0.
struct MotionFrame: Sendable, PlainValue {
  /// Direction of gravity in the device's frame, in g.
  var gravity: SIMD4<Float>
  /// Rotation rate, in rad/s.
  var rotation: SIMD4<Float>
  /// Acceleration without gravity, in g. Lane 3 is the vertical velocity (``VerticalVelocity``).
  var userAcceleration: SIMD4<Float>

  /// Squared angular speed, in rad²/s².
  var squaredAngularSpeed: Float { (rotation * rotation).sum() }

  /// Length of the gravity vector, in g.
  var gravityLength: Float { (gravity * gravity).sum().squareRoot() }

  /// Component of the acceleration along gravity, in g.
  var verticalAcceleration: Float {
    let length = gravityLength
    return length > 0 ? (userAcceleration * gravity).sum() / length : 0
  }
}

/// Frames with their times.
struct TimedFrames: Sendable {
  var frames: [MotionFrame] = []
  /// Times of the frames, in seconds on the samples' clock; strictly increasing.
  var times: [Double] = []
  /// Whether no sensor measured, so that the frame is synthetic.
  var isMissing: [Bool] = []
  /// Whether the frame lies before the first sample of its segment or after the last.
  var isBeyondSignal: [Bool] = []
  /// Fraction of frames whose rotation was measured, not computed.
  var measuredRotationFraction = 1.0

  var count: Int { frames.count }
}

/// One frame with its time.
struct TimedFrame: Sendable {
  /// The clock of the frame's segment, and the frame's number on it.
  var clock: FrameTimes.Clock
  var number: Int
  var frame: MotionFrame
  var isRest: Bool
  /// Time of the sample that completed this frame, in seconds.
  var arrival: Double
  /// Whether no sensor measured, so that the frame is synthetic.
  var isMissing = false
  /// Whether the frame lies before the first sample of its segment or after the last.
  var isBeyondSignal = false
  /// Whether rotation was measured, not computed.
  var hasRotation: Bool
  /// Whether signal is missing before this frame, so that nothing may span the break.
  var startsAfterBreak: Bool

  /// Time of the frame, in seconds on the samples' clock.
  var time: Double { clock.time(ofFrame: number) }

  /// Whether the frame is rest before or after the signal, without any sample.
  var isSynthetic: Bool { number < 0 || time > arrival }
}
