import MotionFrames

/// A configuration shared by all parts of a detector. It takes more than a kilobyte, and there may be
/// thousands of detectors.
final class SharedConfiguration: Sendable, SharedState {
  let value: DetectorConfiguration

  init(_ value: DetectorConfiguration) {
    self.value = value.withinBounds
  }
}
