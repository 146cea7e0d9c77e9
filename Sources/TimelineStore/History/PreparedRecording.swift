import Motion

/// A recording with its sets, compressed and ready to be written: the costly part of saving, done
/// before a transaction begins and on any thread.
public struct PreparedRecording: Sendable {
  struct Segment: Sendable {
    var set: Int?
    var sampleCount: Int
    var bytes: [UInt8]
  }

  /// With its first and last sample only: the others are in the segments.
  let recording: Recording
  let sampleCount: Int
  /// Of the samples.
  let digest: [UInt8]
  /// The recording's name for ever: its set's id, or else the digest.
  let key: String
  let sets: [(key: String, set: CountedSet)]
  let segments: [Segment]
  let detector: String
  let isLossless: Bool

  /// Parameters as in ``HistoryStore/save(_:sets:precision:provenance:movementCurves:)``.
  ///
  /// - Throws: ``TimelineError`` where the samples cannot be encoded.
  public init(
    _ recording: Recording, sets: [CountedSet], precision: TimelinePrecision = .lossless,
    provenance: TimelineProvenance? = nil, movementCurves: [[MovementPoint]] = []
  ) throws {
    var outline = recording
    if recording.samples.count > 2 {
      outline.samples = recording.samples.selecting([0, recording.samples.count - 1])
    }
    self.recording = outline
    sampleCount = recording.samples.count
    digest = recording.samples.digest()
    let name = SHA256.hexadecimal(digest)
    key = recording.identity.setId ?? name
    let encoder = TimelineEncoder(precision: precision)
    segments = try SegmentTimelines(
      of: recording, sets: sets, provenance: provenance, movementCurves: movementCurves
    ).timelines.map { timeline, set in
      Segment(
        set: set, sampleCount: timeline.samples.count, bytes: try encoder.encode(timeline))
    }
    self.sets = sets.enumerated().map { index, set in
      (key: Self.key(ofSet: index, of: sets.count, in: recording, digest: name), set: set)
    }
    detector = provenance?.detector ?? ""
    isLossless = precision == .lossless
  }

  /// The name of a set for ever.
  private static func key(
    ofSet index: Int, of count: Int, in recording: Recording, digest: String
  ) -> String {
    guard let setId = recording.identity.setId else { return "\(digest)-\(index + 1)" }
    return count == 1 ? setId : "\(setId)-\(index + 1)"
  }
}
