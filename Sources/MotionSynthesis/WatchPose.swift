import SignalProcessing

/// Position and attitude of the watch in a world with x forward, y to the left, z up.
struct WatchPose: Sendable, Hashable {
  /// In meters.
  var position: Vector3
  /// Rotation from the watch's frame to the world's.
  var attitude: Quaternion
}
