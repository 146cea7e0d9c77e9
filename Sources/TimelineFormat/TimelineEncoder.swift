import Motion

/// Encodes timelines as blobs in the format of `docs/timeline-format.md`.
///
/// Deterministic: equal timelines give equal bytes on every machine with the same version of LZ4.
public struct TimelineEncoder: Sendable {
  public var precision: TimelinePrecision
  /// Number of rows coded together. Smaller blocks make reading a time range cheaper and the blob larger.
  public var rowsPerBlock: Int

  public init(precision: TimelinePrecision = .lossless, rowsPerBlock: Int = 8192) {
    self.precision = precision
    self.rowsPerBlock = rowsPerBlock
  }

  /// Encodes a timeline, leaving out empty sections. O(samples × columns).
  ///
  /// - Throws: ``TimelineError`` if the samples lack a time column, phases are out of order or extend past
  ///   the samples, a completed rep's number is out of range, one of the other sections has a known, critical
  ///   or zero type, or a limit of the format is exceeded.
  public func encode(_ timeline: Timeline) throws(TimelineError) -> [UInt8] {
    var row = 0
    for span in timeline.phases {
      guard span.rows.lowerBound >= row, span.rows.upperBound <= timeline.samples.count else {
        throw .malformed(
          place: "section phases", reason: "rows \(span.rows) overlap or reach past the samples")
      }
      row = span.rows.upperBound
    }
    for point in timeline.movementCurve where !(0...1 << 53).contains(point.completedRep ?? 0) {
      throw .malformed(place: "section movementCurve", reason: "a rep's number is not one")
    }
    for type in timeline.otherSections.map(\.type)
    where type.isKnown || type.isCritical || type.rawValue == 0 {
      throw .malformed(
        place: "section \(type.name)", reason: "it cannot be kept as another section")
    }
    var sections = [
      TimelineSection(
        type: .samples,
        payload: try SampleCoding.encode(
          timeline.samples, precision: precision, rowsPerBlock: rowsPerBlock))
    ]
    func add(_ type: TimelineSectionType, if wanted: Bool, _ payload: @autoclosure () -> [UInt8]) {
      if wanted { sections.append(TimelineSection(type: type, payload: payload())) }
    }
    add(.phases, if: !timeline.phases.isEmpty, SectionCoding.phases(timeline.phases))
    if let set = timeline.set {
      add(.countedSet, if: true, SectionCoding.countedSet(set, isExact: precision == .lossless))
    }
    if let provenance = timeline.provenance {
      add(.provenance, if: true, SectionCoding.provenance(provenance))
    }
    add(
      .identity,
      if: timeline.identity != SetIdentity() || timeline.unixTimeOfFirstSample != nil,
      IdentityCoding.encode(
        timeline.identity, unixTimeOfFirstSample: timeline.unixTimeOfFirstSample))
    add(
      .movementCurve, if: !timeline.movementCurve.isEmpty,
      SectionCoding.movementCurve(timeline.movementCurve))
    add(.health, if: !timeline.health.isEmpty, SectionCoding.health(timeline.health))
    return try TimelineContainer.serialize(sections + timeline.otherSections)
  }

  /// Returns a timeline's bytes with another count; copies all other sections unchanged.
  package static func replacingCount(
    in bytes: [UInt8], with counted: CountedSet, movementCurve: [MovementPoint],
    provenance: TimelineProvenance?, isLossless: Bool
  ) throws -> [UInt8] {
    let container = try TimelineContainer(bytes)
    // Do not read the replaced sections: they may be damaged.
    let replaced: [TimelineSectionType] = [.countedSet, .movementCurve, .provenance]
    var sections = try container.entries.filter { !replaced.contains($0.type) }
      .map(container.section)
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
    return try TimelineContainer.serialize(sections, minorVersion: bytes[9])
  }
}
