import Motion

/// Decodes timelines from blobs in the format of `docs/timeline-format.md`.
///
/// For any bytes, returns the stored values or throws. Never traps.
public struct TimelineDecoder: Sendable {
  public var limits: TimelineLimits

  public init(limits: TimelineLimits = .standard) {
    self.limits = limits
  }

  /// Decodes and verifies the whole timeline. O(samples × columns).
  ///
  /// - Throws: ``TimelineError`` if any part is damaged or unknown.
  public func decode(_ bytes: [UInt8]) throws(TimelineError) -> Timeline {
    let container = try TimelineContainer(bytes, limits: limits)
    var timeline = Timeline(samples: MotionBatch())
    for entry in container.entries {
      let range = try container.verifiedRange(of: entry)
      try read(entry.type, bytes, range, into: &timeline)
    }
    guard (timeline.phases.last?.rows.upperBound ?? 0) <= timeline.samples.count else {
      throw .malformed(place: "section phases", reason: "rows past the last sample")
    }
    return timeline
  }

  /// Decodes the samples, or some of them. Skips blocks outside the given times and all other sections, so
  /// damage there does not matter.
  ///
  /// - Parameters:
  ///   - bytes: The timeline.
  ///   - channels: Channels to decode besides time; nil for all.
  ///   - times: Times to decode, in the time column's unit and clock; nil for all.
  public func samples(
    in bytes: [UInt8], channels: Set<MotionChannel>? = nil, times: ClosedRange<Double>? = nil
  ) throws(TimelineError) -> MotionBatch {
    let container = try TimelineContainer(bytes, limits: limits)
    guard let entry = container.entry(.samples) else { throw .missingSection(.samples) }
    guard entry.range.upperBound <= bytes.count else {
      throw .truncated(place: "section samples")
    }
    let layout = try SampleLayout(bytes, section: entry.range, limits: limits)
    // Index and blocks have their own checksums.
    if layout.blocks.count <= 1 { _ = try container.verifiedRange(of: entry) }
    return try SampleCoding.decode(
      bytes, layout: layout, channels: channels, times: times, limits: limits)
  }

  /// Decodes the counted set without reading the samples. Returns nil for a timeline of rest.
  public func countedSet(in bytes: [UInt8]) throws(TimelineError) -> CountedSet? {
    try section(.countedSet, of: bytes).set
  }

  /// Decodes one section of a timeline; the result is empty if the section is missing.
  private func section(
    _ type: TimelineSectionType, of bytes: [UInt8]
  ) throws(TimelineError) -> Timeline {
    let container = try TimelineContainer(bytes, limits: limits)
    var timeline = Timeline(samples: MotionBatch())
    if let entry = container.entry(type) {
      try read(type, bytes, try container.verifiedRange(of: entry), into: &timeline)
    }
    return timeline
  }

  func read(
    _ type: TimelineSectionType, _ bytes: [UInt8], _ range: Range<Int>,
    into timeline: inout Timeline
  ) throws(TimelineError) {
    var reader = ByteReader(bytes, range: range, place: "section \(type.name)")
    switch type {
    case .samples:
      let layout = try SampleLayout(bytes, section: range, limits: limits)
      timeline.samples = try SampleCoding.decode(bytes, layout: layout, limits: limits)
      return
    case .phases: timeline.phases = try SectionCoding.phases(&reader)
    case .countedSet: timeline.set = try SectionCoding.countedSet(&reader, limits: limits)
    case .provenance: timeline.provenance = try SectionCoding.provenance(&reader)
    case .identity:
      (timeline.identity, timeline.unixTimeOfFirstSample) = try IdentityCoding.decode(&reader)
    case .movementCurve:
      timeline.movementCurve = try SectionCoding.movementCurve(&reader, limits: limits)
    case .health: timeline.health = try SectionCoding.health(&reader, limits: limits)
    default:
      guard !type.isCritical else { throw .unknownCriticalSection(type: Int(type.rawValue)) }
      timeline.otherSections.append(
        TimelineSection(type: type, payload: Array(bytes[range])))
      return
    }
    try reader.requireEnd()
  }
}

extension TimelineDecoder {
  /// Decodes the health readings without reading the samples.
  package func healthReadings(in blob: [UInt8]) throws(TimelineError) -> [HealthReading] {
    try section(.health, of: blob).health
  }
}
