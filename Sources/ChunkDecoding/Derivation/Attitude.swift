import Motion

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The device's attitude as Core Motion gives it: rotations about y (roll), then x (pitch), then z
/// (yaw), in radians.
///
/// The direction of gravity in the device's frame is
/// (cos pitch · sin roll, −sin pitch, −cos pitch · cos roll).
package struct Attitude: Sendable, Hashable {
  /// −π to π.
  package var roll: Double
  /// −π/2 to π/2.
  package var pitch: Double
  /// −π to π.
  package var yaw: Double

  package init(roll: Double, pitch: Double, yaw: Double) {
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
  }

  /// The attitude of a quaternion that turns the device's frame into the reference frame, as
  /// `CMAttitude.quaternion` does. The quaternion need not have the length 1; zero gives NaN.
  package init(w: Double, x: Double, y: Double, z: Double) {
    let square = w * w + x * x + y * y + z * z
    let s = 2 / square
    let sinPitch = s * (y * z + w * x)
    pitch = asin(sinPitch.magnitude > 1 && sinPitch.isFinite ? (sinPitch < 0 ? -1 : 1) : sinPitch)
    if sinPitch.magnitude > 0.999_999_9 {
      // Pointing straight up or down, only roll and yaw together are defined.
      roll = 0
      yaw = atan2(s * (x * y + w * z), 1 - s * (y * y + z * z))
    } else {
      roll = atan2(s * (w * y - x * z), 1 - s * (x * x + y * y))
      yaw = atan2(s * (w * z - x * y), 1 - s * (x * x + z * z))
    }
  }

  /// The direction of gravity in the device's frame, of length 1.
  package var gravity: (x: Double, y: Double, z: Double) {
    let cosPitch = cos(pitch)
    return (cosPitch * sin(roll), -sin(pitch), -cosPitch * cos(roll))
  }
}
