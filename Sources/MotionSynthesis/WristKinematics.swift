/// The watch's pose and its derivatives at one time.
struct WristKinematics: Sendable, Hashable {
  var pose: WatchPose
  /// In the watch's frame, rad/s.
  var angularVelocity: Vector3
  /// In the world's frame, m/s².
  var acceleration: Vector3
}
