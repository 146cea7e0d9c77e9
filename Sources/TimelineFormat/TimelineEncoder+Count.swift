import Motion

extension TimelineEncoder {
  /// A timeline's bytes with another count; every other section stays, byte for byte.
  package static func replacingCount(
    in bytes: [UInt8], with counted: CountedSet, movementCurve: [MovementPoint],
    provenance: TimelineProvenance?, isLossless: Bool
  ) throws -> [UInt8] {
    let container = try TimelineContainer(bytes)
    var sections: [TimelineSection] = []
    for entry in container.entries {
      switch entry.type {
      case .countedSet, .movementCurve, .provenance: continue
      default:
        sections.append(
          TimelineSection(
            type: entry.type, payload: Array(bytes[try container.verifiedRange(of: entry)])))
      }
    }
    sections.append(
      TimelineSection(
        type: .countedSet, payload: SectionCoding.countedSet(counted, isExact: isLossless)))
    if let provenance {
      sections.append(
        TimelineSection(type: .provenance, payload: SectionCoding.provenance(provenance)))
    }
    if !movementCurve.isEmpty {
      sections.append(
        TimelineSection(type: .movementCurve, payload: SectionCoding.movementCurve(movementCurve)))
    }
    return try TimelineContainer.serialize(sections)
  }
}
