import Motion

/// Payloads of the sections other than samples. `docs/timeline-format.md`, "Sections".
enum SectionCoding {
  static func phases(_ phases: [PhaseSpan]) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(phases.count)
    var row = 0
    for span in phases {
      writer.uint8(span.phase == .execution ? 0 : 1)
      writer.varint(span.rows.lowerBound - row)
      writer.varint(span.rows.count)
      row = span.rows.upperBound
    }
    return writer.bytes
  }

  static func phases(_ reader: inout ByteReader) throws(TimelineError) -> [PhaseSpan] {
    let count = try reader.varint()
    guard count <= reader.remaining / 3 else { throw .truncated(place: reader.place) }
    var spans: [PhaseSpan] = []
    var row = 0
    for _ in 0..<count {
      let phase: WorkoutPhase
      switch try reader.uint8() {
      case 0: phase = .execution
      case 1: phase = .rest
      default: throw .malformed(place: reader.place, reason: "unknown phase")
      }
      let skipped = try reader.varint()
      let rows = try reader.varint()
      guard skipped < 1 << 60, rows < 1 << 60, row < 1 << 60 else {
        throw .malformed(place: reader.place, reason: "a span of more rows than there can be")
      }
      let start = row + skipped
      row = start + rows
      spans.append(PhaseSpan(rows: start..<row, phase: phase))
    }
    return spans
  }

  /// Maximum error of a rep's times (in seconds) and confidence in a timeline of bounded precision.
  static let repBound = 1e-4

  static func countedSet(_ set: CountedSet, isExact: Bool = true) -> [UInt8] {
    let bound = isExact ? nil : repBound
    var writer = ByteWriter()
    writer.uint8(set.cause == .declared ? 0 : 1)
    writer.double(set.start)
    writer.double(set.end)
    writer.double(set.confidence)
    for reps in [set.reps, set.partialReps] {
      TableCoding.write(
        [reps.map(\.start), reps.map(\.end), reps.map(\.confidence)],
        bounds: [bound, bound, bound], to: &writer)
    }
    return writer.bytes
  }

  static func countedSet(
    _ reader: inout ByteReader, limits: TimelineLimits
  ) throws(TimelineError) -> CountedSet {
    let cause: SetCause
    switch try reader.uint8() {
    case 0: cause = .declared
    case 1: cause = .detected
    default: throw .malformed(place: reader.place, reason: "unknown cause")
    }
    let start = try reader.double()
    let end = try reader.double()
    let confidence = try reader.double()
    func reps() throws(TimelineError) -> [CountedRep] {
      let columns = try TableCoding.read(columns: 3, from: &reader, limits: limits)
      return columns[0].indices.map {
        CountedRep(start: columns[0][$0], end: columns[1][$0], confidence: columns[2][$0])
      }
    }
    let counted = try reps()
    let partial = try reps()
    return CountedSet(
      cause: cause, start: start, end: end, reps: counted, partialReps: partial,
      confidence: confidence)
  }

  static func provenance(_ provenance: TimelineProvenance) -> [UInt8] {
    var writer = ByteWriter()
    writer.text(provenance.writer)
    writer.text(provenance.detector)
    writer.varint(provenance.settings.count)
    for (name, value) in provenance.settings.inByteOrder {
      writer.text(name)
      writer.text(value)
    }
    return writer.bytes
  }

  static func provenance(
    _ reader: inout ByteReader
  ) throws(TimelineError) -> TimelineProvenance {
    var provenance = TimelineProvenance(writer: try reader.text(), detector: try reader.text())
    let count = try reader.varint()
    guard count <= reader.remaining / 2 else { throw .truncated(place: reader.place) }
    provenance.settings = try reader.named(count) { reader throws(TimelineError) in
      try reader.text()
    }
    return provenance
  }

  static func movementCurve(_ curve: [MovementPoint]) -> [UInt8] {
    var writer = ByteWriter()
    TableCoding.write(
      [curve.map(\.time), curve.map(\.movement), curve.map { Double($0.completedRep ?? 0) }],
      to: &writer)
    return writer.bytes
  }

  static func movementCurve(
    _ reader: inout ByteReader, limits: TimelineLimits
  ) throws(TimelineError) -> [MovementPoint] {
    let columns = try TableCoding.read(columns: 3, from: &reader, limits: limits)
    var points: [MovementPoint] = []
    points.reserveCapacity(columns[0].count)
    for row in columns[0].indices {
      guard let rep = Int(exactly: columns[2][row]), rep >= 0 else {
        throw .malformed(place: reader.place, reason: "a rep's number is not one")
      }
      points.append(
        MovementPoint(
          time: columns[0][row], movement: columns[1][row], completedRep: rep == 0 ? nil : rep))
    }
    return points
  }

  /// Returns the payload of health readings; NaN stands for a missing value.
  static func health(_ readings: [HealthReading]) -> [UInt8] {
    var writer = ByteWriter()
    TableCoding.write(
      [
        readings.map(\.unixTime), readings.map { $0.heartRateBPM ?? .nan },
        readings.map { $0.calories ?? .nan },
      ], to: &writer)
    return writer.bytes
  }

  static func health(
    _ reader: inout ByteReader, limits: TimelineLimits
  ) throws(TimelineError) -> [HealthReading] {
    let columns = try TableCoding.read(columns: 3, from: &reader, limits: limits)
    return columns[0].indices.map { row in
      HealthReading(
        unixTime: columns[0][row],
        heartRateBPM: columns[1][row].isNaN ? nil : columns[1][row],
        calories: columns[2][row].isNaN ? nil : columns[2][row])
    }
  }
}

extension Dictionary where Key == String {
  /// The pairs in ascending order of their keys' UTF-8 bytes.
  var inByteOrder: [(key: String, value: Value)] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
