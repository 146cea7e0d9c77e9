/// The wrist's motion at one instant of the detector's uniform clock. Lane 3 of gravity and rotation is
/// always 0.
package struct MotionFrame: Sendable, PlainValue {
  /// Direction of gravity in the device's frame, in g.
  package var gravity: SIMD4<Float>
  /// Rotation rate, in rad/s.
  package var rotation: SIMD4<Float>
  /// Acceleration without gravity, in g. Lane 3 is the vertical velocity (``VerticalVelocity``).
  package var userAcceleration: SIMD4<Float>

  @inlinable
  package init(gravity: SIMD4<Float>, rotation: SIMD4<Float>, userAcceleration: SIMD4<Float>) {
    self.gravity = gravity
    self.rotation = rotation
    self.userAcceleration = userAcceleration
  }

  /// Squared angular speed, in rad²/s².
  @inlinable package var squaredAngularSpeed: Float { (rotation * rotation).sum() }

  /// Length of the gravity vector, in g.
  @inlinable package var gravityLength: Float { (gravity * gravity).sum().squareRoot() }

  /// Component of the acceleration along gravity, in g.
  @inlinable package var verticalAcceleration: Float {
    let length = gravityLength
    return length > 0 ? (userAcceleration * gravity).sum() / length : 0
  }
}

/// Frames with their times.
package struct TimedFrames: Sendable {
  package var frames: [MotionFrame] = []
  /// Times of the frames, in seconds on the samples' clock; strictly increasing.
  package var times: [Double] = []
  /// Whether each frame is synthetic, because no sensor measured.
  package var isMissing: [Bool] = []
  /// Whether each frame lies before the first sample of its segment or after the last.
  package var isBeyondSignal: [Bool] = []
  /// Fraction of frames whose rotation was measured, not computed.
  package var measuredRotationFraction = 1.0

  package var count: Int { frames.count }
}

/// One frame with its time.
package struct TimedFrame: Sendable {
  /// The clock of the frame's segment, and the frame's number on it.
  package var clock: FrameTimes.Clock
  package var number: Int
  package var frame: MotionFrame
  package var isRest: Bool
  /// Time of the sample that completed this frame, in seconds.
  package var arrival: Double
  /// True if the frame is synthetic, because no sensor measured.
  package var isMissing = false
  /// True if the frame lies before the first sample of its segment or after the last.
  package var isBeyondSignal = false
  /// True if rotation was measured, not computed.
  package var hasRotation: Bool
  /// True if signal is missing before this frame, so that nothing may span the break.
  package var startsAfterBreak: Bool

  /// Time of the frame, in seconds on the samples' clock.
  package var time: Double { clock.time(ofFrame: number) }

  /// True if the frame is rest before or after the signal, without any sample.
  package var isSynthetic: Bool { number < 0 || time > arrival }
}
