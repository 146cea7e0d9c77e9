import Motion

/// Statistics of irregularities in a recording's chunks.
public struct ReassemblyStatistics: Sendable, Hashable {
  /// An interval without samples, in seconds on the samples' clock.
  public struct Gap: Sendable, Hashable {
    /// Time of the last sample before the gap.
    public var start: Double
    /// Time of the first sample after the gap.
    public var end: Double

    package init(start: Double, end: Double) {
      self.start = start
      self.end = end
    }
  }

  /// Chunks received, empty and repeated ones included.
  public var chunks = 0
  public var emptyChunks = 0
  /// Chunks whose samples were all in other chunks.
  public var repeatedChunks = 0
  /// Chunks that overlap another one in time, except repeated ones.
  public var overlappingChunks = 0
  /// Chunks that arrived after one with later times.
  public var lateChunks = 0
  /// Samples in the recording.
  public var samples = 0
  /// Samples dropped as duplicates of one with equal time and equal bits in all columns.
  public var duplicateSamples = 0
  /// Samples that contradict another chunk's samples at that time; all are kept.
  public var conflictingSamples = 0
  /// Kept samples with the same time as the previous one.
  public var samplesSharingTime = 0
  /// Number of backward time steps within chunks.
  public var backwardSteps = 0
  /// Gaps of more than an hour, which suggest that the clock was set.
  public var clockJumps = 0
  /// Gaps longer than four usual sampling intervals, at least 0.2 s.
  public var gaps: [Gap] = []
  /// True if times were rebuilt from whole seconds.
  public var hasRebuiltTimes = false

  package init() {}

  /// A description of the irregularities; nil if there are none.
  ///
  /// Includes repeated rows, late or repeated chunks, and samples with equal times, which lose no data.
  package var unusual: String? {
    func many(_ count: Int, _ one: String, _ more: String? = nil) -> String? {
      count == 0 ? nil : "\(count) \(count == 1 ? one : more ?? one + "s")"
    }
    let seconds = gaps.reduce(0) { $0 + $1.end - $1.start }
    let length = seconds < 1e9 ? "\((seconds * 10).rounded() / 10) s" : "very long"
    let parts = [
      many(lateChunks, "late chunk"),
      many(repeatedChunks, "repeated chunk"),
      many(overlappingChunks, "overlapping chunk"),
      many(emptyChunks, "chunk without samples", "chunks without samples"),
      many(duplicateSamples, "exact duplicate").map { $0 + " dropped" },
      many(conflictingSamples, "sample").map { $0 + " in contradiction to others, kept" },
      many(samplesSharingTime, "sample").map { $0 + " at the time of the one before" },
      many(backwardSteps, "step").map { $0 + " back in time put in order" },
      many(gaps.count, "gap").map { $0 + " (\(length) in all)" },
      many(clockJumps, "jump").map { $0 + " of the clock" },
      hasRebuiltTimes ? "times rebuilt from whole seconds" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// A recording reassembled from chunks, with statistics of their irregularities.
public struct ReassembledRecording: Sendable {
  public var recording: Recording
  public var statistics: ReassemblyStatistics
  public var issues: [DecodingIssue]

  package init(
    recording: Recording, statistics: ReassemblyStatistics, issues: [DecodingIssue] = []
  ) {
    self.recording = recording
    self.statistics = statistics
    self.issues = issues
  }
}
