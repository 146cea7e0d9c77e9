import Digests
import Motion
import TimelineFormat

/// A recording with its sets, compressed and ready to be written: the costly part of saving, done
/// before a transaction begins and on any thread.
package struct PreparedRecording: Sendable {
  package struct Segment: Sendable {
    /// Which of the sets; nil for rest.
    package var set: Int?
    /// In the recording as it was handed over.
    package var firstSample: Int
    package var sampleCount: Int
    package var bytes: [UInt8]
    /// The SHA-256 of the bytes.
    package let digest: [UInt8]

    init(set: Int?, firstSample: Int, sampleCount: Int, bytes: [UInt8]) {
      (self.set, self.firstSample, self.sampleCount) = (set, firstSample, sampleCount)
      self.bytes = bytes
      digest = SHA256.hash(bytes)
    }
  }

  /// What was recorded, of its samples the first and the last one.
  package private(set) var recording: Recording
  /// Of the recording as it was handed over.
  package let sampleCount: Int
  /// Of the samples.
  package let digest: [UInt8]
  /// The recording's name for ever: its set's id, or else the digest.
  package let key: HistoryRecordingRow.Key
  /// Those that no person has deleted, with their names for ever.
  package let sets: [(key: HistorySetRow.Key, set: CountedSet)]
  package let segments: [Segment]
  package let detector: String
  package let isLossless: Bool
  /// What a person deleted of it, and that is therefore not in ``segments``.
  let deleted: [DeletedSamples]
  let deletedSampleCount: Int
  private let source: Source

  /// What it was made from beside samples, to make it again without what was deleted meanwhile.
  private struct Source: Sendable {
    var sets: [CountedSet]
    var precision: TimelinePrecision
    var provenance: TimelineProvenance?
    var movementCurves: [[MovementPoint]]
  }

  /// Parameters as in ``HistoryStore/save(_:sets:precision:provenance:movementCurves:user:)``.
  ///
  /// - Throws: `TimelineError` where the samples cannot be encoded; ``HistoryError/invalidValue(reason:)``
  ///   for ids that a history cannot hold.
  package init(
    _ recording: Recording, sets: [CountedSet], precision: TimelinePrecision = .lossless,
    provenance: TimelineProvenance? = nil, movementCurves: [[MovementPoint]] = []
  ) throws {
    try self.init(
      recording, digest: recording.samples.digest(),
      source: Source(
        sets: sets, precision: precision, provenance: provenance, movementCurves: movementCurves),
      deleted: [])
  }

  /// The same recording with other sets, under the name that it has in a history.
  ///
  /// - Parameter digest: of the samples as they were when it was first saved.
  init(
    _ recording: Recording, digest: [UInt8], sets: [CountedSet], precision: TimelinePrecision,
    provenance: TimelineProvenance?, movementCurves: [[MovementPoint]]
  ) throws {
    try self.init(
      recording, digest: digest,
      source: Source(
        sets: sets, precision: precision, provenance: provenance, movementCurves: movementCurves),
      deleted: [])
  }

  /// The same without samples that a person deleted. What was left out already stays so: when that
  /// has changed in the same instant, the next time it is saved corrects it.
  func without(_ deleted: [DeletedSamples]) throws -> PreparedRecording {
    guard self.deleted.isEmpty, !deleted.isEmpty else { return self }
    return try PreparedRecording(
      try wholeRecording(), digest: digest, source: source, deleted: deleted)
  }

  /// The recording with all samples, as its segments have them.
  private func wholeRecording() throws -> Recording {
    var whole = recording
    whole.health = []
    whole.phases = []
    for (index, segment) in segments.enumerated() {
      let timeline = try TimelineDecoder(limits: .reading(segment.bytes.count)).decode(
        segment.bytes)
      let offset = segment.firstSample
      if index == 0 {
        whole.samples = timeline.samples
      } else {
        whole.samples.append(timeline.samples)
      }
      whole.phases += timeline.phases.map {
        PhaseSpan(
          rows: offset + $0.rows.lowerBound..<offset + $0.rows.upperBound, phase: $0.phase)
      }
      whole.health += timeline.health
    }
    return whole
  }

  /// The same under another name for people. What it is known by stays.
  package func named(_ name: String) -> PreparedRecording {
    var copy = self
    copy.recording.name = name
    return copy
  }

  /// The name for people.
  package var name: String { recording.name }

  /// Whether a person deleted all of it.
  var isDeleted: Bool { deleted.contains(where: \.isWhole) }

  private init(
    _ recording: Recording, digest: [UInt8], source: Source, deleted: [DeletedSamples]
  ) throws {
    guard recording.identity == recording.identity.storable else {
      throw HistoryError.invalidValue(reason: "recording \(recording.name): an id holds U+0000")
    }
    var outline = recording
    if recording.samples.count > 2 {
      outline.samples = recording.samples.selecting([0, recording.samples.count - 1])
    }
    self.recording = outline
    sampleCount = recording.samples.count
    self.digest = digest
    self.source = source
    self.deleted = deleted
    let name = digest.hexadecimalDigits
    key = HistoryRecordingRow.Key(recording.identity.setId ?? name)
    detector = source.provenance?.detector ?? ""
    isLossless = source.precision == .lossless
    guard !deleted.contains(where: \.isWhole) else {
      (sets, segments, deletedSampleCount) = ([], [], recording.samples.count)
      return
    }
    let remaining = RemainingSegments(
      of: recording.samples, sets: source.sets, without: deleted)
    let sets = remaining.sets.map { index in
      (
        key: Self.key(ofSet: index, of: source.sets.count, in: recording, digest: name),
        set: source.sets[index]
      )
    }
    self.sets = sets
    deletedSampleCount = remaining.deletedSampleCount
    let encoder = TimelineEncoder(precision: source.precision)
    segments = try SegmentTimelines(
      of: remaining.withoutDeletedHealth(recording), segments: remaining.segments,
      sets: sets.map(\.set), provenance: source.provenance,
      movementCurves: remaining.sets.map {
        source.movementCurves.indices.contains($0) ? source.movementCurves[$0] : []
      }
    ).timelines.map { timeline, rows, set in
      let bytes = try encoder.encode(timeline)
      // Nothing is written that would not be read again.
      guard
        timeline.samples.decodedByteCount
          <= TimelineLimits.reading(bytes.count).decodedBytes,
        bytes.count <= Self.longestValue / 2
      else { throw TimelineError.tooLarge(place: "recording \(recording.name)") }
      return Segment(
        set: set, firstSample: rows.lowerBound, sampleCount: timeline.samples.count, bytes: bytes)
    }
  }

  /// Number of bytes of a history's longest value.
  static let longestValue: Int32 = 1 << 28

  /// The name of a set for ever.
  private static func key(
    ofSet index: Int, of count: Int, in recording: Recording, digest: String
  ) -> HistorySetRow.Key {
    guard let setId = recording.identity.setId else { return "\(digest)-\(index + 1)" }
    return count == 1 ? HistorySetRow.Key(setId) : "\(setId)-\(index + 1)"
  }
}

extension MotionBatch {
  /// Number of bytes of its columns in memory.
  var decodedByteCount: Int { 8 * count * channels.count }
}
