import Motion

/// A timeline's bytes, seen as a container of sections, none of which is decoded.
package struct TimelineBlob: Sendable {
  let container: TimelineContainer
  package var bytes: [UInt8] { container.bytes }

  /// - Throws: ``TimelineError`` where header or directory are damaged. The sections themselves
  ///   are not looked at.
  package init(_ bytes: [UInt8]) throws(TimelineError) {
    container = try TimelineContainer(bytes)
  }

  /// The newest version of the format that this program writes, such as "1.0".
  package static let newestVersion =
    "\(TimelineContainer.majorVersion).\(TimelineContainer.minorVersion)"

  /// Whether bytes begin as a timeline does. Eight suffice.
  package static func isTimeline(_ head: [UInt8]) -> Bool {
    head.starts(with: TimelineContainer.magic)
  }

  /// The sections in their order, their checksums verified.
  package func sections() throws(TimelineError) -> [TimelineSection] {
    try container.entries.map(container.section)
  }
}
