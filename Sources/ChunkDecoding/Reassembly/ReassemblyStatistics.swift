import Motion

/// What was unusual about the chunks of a recording.
public struct ReassemblyStatistics: Sendable, Hashable {
  /// An interval without samples, in seconds on the samples' clock.
  public struct Gap: Sendable, Hashable {
    /// The last sample before.
    public var start: Double
    /// The first sample behind.
    public var end: Double

    package init(start: Double, end: Double) {
      self.start = start
      self.end = end
    }
  }

  /// Chunks received, empty and repeated ones included.
  public var chunks = 0
  public var emptyChunks = 0
  /// Chunks all of whose samples were in others.
  public var repeatedChunks = 0
  /// Chunks that share an interval of time with another one, repeated ones not counted.
  public var overlappingChunks = 0
  /// Chunks that came after one of a later time.
  public var lateChunks = 0
  /// Samples in the recording.
  public var samples = 0
  /// Samples dropped because one of the same time and the same bits in all columns was kept.
  public var duplicateSamples = 0
  /// Samples that contradict those of another chunk at the same time; all of them are kept.
  public var conflictingSamples = 0
  /// Samples that share their time with the one before, and were kept.
  public var samplesSharingTime = 0
  /// Steps back of time within a chunk.
  public var backwardSteps = 0
  /// Gaps of more than an hour: the clock was probably set.
  public var clockJumps = 0
  /// Intervals of more than four usual ones, at least 0.2 s.
  public var gaps: [Gap] = []
  /// Whether the times are rebuilt from whole seconds.
  public var hasRebuiltTimes = false

  package init() {}

  /// What was unusual, in words; nil where nothing was.
  ///
  /// Rows that a file repeats, chunks that came late or twice, samples that share their time with
  /// another: nothing of it is lost, but who looks at a recording wants to know.
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

/// A recording put together from chunks, and what was unusual about them.
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
