import Motion

/// Reads timelines from blobs in the format of `docs/timeline-format.md`.
///
/// Never traps on any bytes; gives back what was stored or throws.
public struct TimelineDecoder: Sendable {
  public var limits: TimelineLimits

  public init(limits: TimelineLimits = .standard) {
    self.limits = limits
  }

  /// The whole timeline, every section verified. O(samples × columns).
  ///
  /// - Throws: ``TimelineError`` where any part of it is damaged or unknown.
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

  /// The samples alone, or some of them; blocks outside the wanted times are not read at all, and
  /// other sections are not looked at: damage there does not hinder.
  ///
  /// - Parameters:
  ///   - bytes: The timeline.
  ///   - channels: The channels wanted; time always comes. Nil for all.
  ///   - times: The times wanted, in the time column's own unit and clock. Nil for all.
  public func samples(
    in bytes: [UInt8], channels: Set<MotionChannel>? = nil, times: ClosedRange<Double>? = nil
  ) throws(TimelineError) -> MotionBatch {
    let container = try TimelineContainer(bytes, limits: limits)
    guard let entry = container.entry(.samples) else { throw .missingSection(.samples) }
    guard entry.range.upperBound <= bytes.count else {
      throw .truncated(place: "section samples")
    }
    let layout = try SampleLayout(bytes, section: entry.range, limits: limits)
    // Index and blocks have checksums of their own: damage elsewhere does not matter here.
    if layout.blocks.count <= 1 { _ = try container.verifiedRange(of: entry) }
    return try SampleCoding.decode(
      bytes, layout: layout, channels: channels, times: times, limits: limits)
  }

  /// What was counted, without looking at the samples. Nil where the timeline is of rest.
  public func countedSet(in bytes: [UInt8]) throws(TimelineError) -> CountedSet? {
    try section(.countedSet, of: bytes).set
  }

  /// One section of a timeline; nothing of it where it has none.
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

extension TimelineSectionType {
  /// Whether this version reads sections of the type; at most one of each is legal.
  var isKnown: Bool {
    switch self {
    case .samples, .phases, .countedSet, .provenance, .identity, .movementCurve, .health: true
    default: false
    }
  }
}

extension TimelineDecoder {
  /// The health readings of a timeline, without a look at its samples.
  package func healthReadings(in blob: [UInt8]) throws(TimelineError) -> [HealthReading] {
    try section(.health, of: blob).health
  }
}
