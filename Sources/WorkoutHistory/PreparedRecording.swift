import Digests
import Motion
import TimelineFormat

/// A recording with its sets, compressed on any thread before the transaction that writes it begins.
package struct PreparedRecording: Sendable {
  package struct Segment: Sendable {
    package var set: Int?
    /// The index of the first sample in the original recording.
    package var firstSample: Int
    package var sampleCount: Int
    package var bytes: [UInt8]
    package var digest: [UInt8]
  }

  /// The recording, with only its first and last samples.
  package private(set) var recording: Recording
  package let sampleCount: Int
  package let digest: [UInt8]
  /// The recording's permanent key: its set's id, or else the digest.
  package let key: HistoryRecordingRow.Key
  /// The sets that no person has deleted, with their permanent keys.
  package let sets: [(key: HistorySetRow.Key, set: CountedSet)]
  package let segments: [Segment]
  package let detector: String
  package let isLossless: Bool
  /// The samples that a person deleted, which ``segments`` omits.
  let deleted: [DeletedSamples]
  let deletedSampleCount: Int
  private let source: Source

  /// Inputs besides samples, for preparing the recording again after a deletion of samples.
  private struct Source: Sendable {
    var sets: [CountedSet]
    var precision: TimelinePrecision
    var provenance: TimelineProvenance?
    var movementCurves: [[MovementPoint]]
  }

  /// Prepares a recording. For the parameters see
  /// ``HistoryStore/save(_:sets:precision:provenance:movementCurves:user:)``.
  ///
  /// - Parameter digest: The digest of the samples when the recording was first saved, if it was.
  package init(
    _ recording: Recording, digest: [UInt8]? = nil, sets: [CountedSet],
    precision: TimelinePrecision = .lossless, provenance: TimelineProvenance? = nil,
    movementCurves: [[MovementPoint]] = []
  ) throws {
    try self.init(
      recording, digest: digest ?? recording.samples.digest(),
      source: Source(
        sets: sets, precision: precision, provenance: provenance, movementCurves: movementCurves),
      deleted: [])
  }

  /// Returns a copy without deleted samples. A recording prepared with other deletions is returned unchanged:
  /// if they changed in the meantime, the next save corrects it.
  package func without(_ deleted: [DeletedSamples]) throws -> PreparedRecording {
    guard self.deleted.isEmpty, !deleted.isEmpty else { return self }
    return try PreparedRecording(
      try wholeRecording(), digest: digest, source: source, deleted: deleted)
  }

  private func wholeRecording() throws -> Recording {
    var whole = recording
    whole.samples = MotionBatch()
    whole.health = []
    whole.phases = []
    for segment in segments {
      whole.append(try TimelineDecoder(limits: .reading(segment.bytes.count)).decode(segment.bytes))
    }
    return whole
  }

  package func named(_ name: String) -> PreparedRecording {
    var copy = self
    copy.recording.name = name
    return copy
  }

  package var name: String { recording.name }

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
      of: recording.samples, sets: source.sets,
      without: deleted.map { $0.rows(of: recording.samples.count) })
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
      // Never write segments that readers would reject.
      guard
        timeline.samples.decodedByteCount
          <= TimelineLimits.reading(bytes.count).decodedBytes,
        bytes.count <= HistoryRules.longestValue / 2
      else { throw TimelineError.tooLarge(place: "recording \(recording.name)") }
      return Segment(
        set: set, firstSample: rows.lowerBound, sampleCount: timeline.samples.count, bytes: bytes,
        digest: SHA256.hash(bytes))
    }
  }

  private static func key(
    ofSet index: Int, of count: Int, in recording: Recording, digest: String
  ) -> HistorySetRow.Key {
    guard let setId = recording.identity.setId else { return "\(digest)-\(index + 1)" }
    return count == 1 ? HistorySetRow.Key(setId) : "\(setId)-\(index + 1)"
  }
}
