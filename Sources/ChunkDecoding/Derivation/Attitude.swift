import Motion

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Attitude as in Core Motion: rotations about y (roll), then x (pitch), then z (yaw), in radians.
///
/// Gravity in the device's frame is (cos pitch · sin roll, −sin pitch, −cos pitch · cos roll).
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

  /// Creates the attitude of a quaternion that rotates the device's frame into the reference frame, like
  /// `CMAttitude.quaternion`. It need not be normalized; zero gives NaN.
  package init(w: Double, x: Double, y: Double, z: Double) {
    let square = w * w + x * x + y * y + z * z
    let s = 2 / square
    let sinPitch = s * (y * z + w * x)
    pitch = asin(sinPitch.magnitude > 1 && sinPitch.isFinite ? (sinPitch < 0 ? -1 : 1) : sinPitch)
    if sinPitch.magnitude > 0.999_999_9 {
      // If the device points straight up or down, only the sum or difference of roll and yaw is defined.
      roll = 0
      yaw = atan2(s * (x * y + w * z), 1 - s * (y * y + z * z))
    } else {
      roll = atan2(s * (w * y - x * z), 1 - s * (x * x + y * y))
      yaw = atan2(s * (w * z - x * y), 1 - s * (x * x + z * z))
    }
  }

  /// Direction of gravity in the device's frame, of length 1.
  package var gravity: (x: Double, y: Double, z: Double) {
    let cosPitch = cos(pitch)
    return (cosPitch * sin(roll), -sin(pitch), -cosPitch * cos(roll))
  }
}
