/// A configuration that all parts of a detector share. It has more than a kilobyte, and of each
/// detector there may be thousands.
final class SharedConfiguration: Sendable, Codable {
  let value: DetectorConfiguration

  init(_ value: DetectorConfiguration) {
    self.value = value.withinBounds
  }
}
