import Motion

/// A timeline's bytes, seen as a container of sections.
///
/// Reads and rewrites single sections without decoding the others: what is not touched, known or
/// unknown, stays as it is, bit for bit.
package struct TimelineBlob: Sendable {
  package let bytes: [UInt8]
  private let limits: TimelineLimits

  /// - Throws: ``TimelineError`` where header or directory are damaged. The sections themselves
  ///   are not looked at.
  package init(_ bytes: [UInt8], limits: TimelineLimits = .standard) throws(TimelineError) {
    _ = try TimelineContainer(bytes, limits: limits)
    self.bytes = bytes
    self.limits = limits
  }

  /// The newest version of the format that this program writes, such as "1.1".
  package static let newestVersion =
    "\(TimelineContainer.majorVersion).\(TimelineContainer.newestMinorVersion)"

  /// Whether bytes begin as a timeline does. Eight suffice.
  package static func isTimeline(_ head: [UInt8]) -> Bool {
    head.starts(with: TimelineContainer.magic)
  }

  /// The sections in their order, their checksums verified.
  package func sections() throws(TimelineError) -> [TimelineSection] {
    let container = try TimelineContainer(bytes, limits: limits)
    var sections: [TimelineSection] = []
    for entry in container.entries {
      let range = try container.verifiedRange(of: entry)
      sections.append(TimelineSection(type: entry.type, payload: Array(bytes[range])))
    }
    return sections
  }

  /// A timeline with another set counted in it; its samples and all else stay as they are.
  package func replacing(set: CountedSet, provenance: TimelineProvenance? = nil)
    throws(TimelineError) -> TimelineBlob
  {
    var replacements = [
      TimelineSection(type: .countedSet, payload: SectionCoding.countedSet(set))
    ]
    if let provenance {
      replacements.append(
        TimelineSection(type: .provenance, payload: SectionCoding.provenance(provenance)))
    }
    return try replacing(replacements)
  }

  /// A timeline in which the sections given take the place of those of their types, or are added.
  package func replacing(_ replacements: [TimelineSection]) throws(TimelineError) -> TimelineBlob {
    var sections = try sections()
    for replacement in replacements {
      if let index = sections.firstIndex(where: { $0.type == replacement.type }) {
        sections[index] = replacement
      } else {
        sections.append(replacement)
      }
    }
    return try TimelineBlob(
      try TimelineContainer.serialize(sections, minorVersion: bytes[9]), limits: limits)
  }
}
