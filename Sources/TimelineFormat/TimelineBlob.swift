import Motion

/// A timeline's bytes as a container of sections, which are not decoded.
package struct TimelineBlob: Sendable {
  let container: TimelineContainer
  package var bytes: [UInt8] { container.bytes }

  /// - Throws: ``TimelineError`` if the header or the directory is damaged. Does not check the sections.
  package init(_ bytes: [UInt8]) throws(TimelineError) {
    container = try TimelineContainer(bytes)
  }

  /// The newest version of the format that this program writes, such as "1.0".
  package static let newestVersion =
    "\(TimelineContainer.majorVersion).\(TimelineContainer.minorVersion)"

  /// Returns true if the bytes begin like a timeline. The first eight suffice.
  package static func isTimeline(_ head: [UInt8]) -> Bool {
    head.starts(with: TimelineContainer.magic)
  }

  /// Returns the sections in order, after verifying their checksums.
  package func sections() throws(TimelineError) -> [TimelineSection] {
    try container.entries.map(container.section)
  }
}
