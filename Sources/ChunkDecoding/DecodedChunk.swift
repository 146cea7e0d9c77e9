import Motion

/// Samples that were handed over together, with what their sender said about them.
public struct DecodedChunk: Sendable {
  public var identity: SetIdentity
  public var phase: WorkoutPhase?
  /// The sender's name of the chunk, if it has one.
  public var chunkId: String?
  /// In the order of the input; values and units as in the input, dates as seconds or milliseconds
  /// since 1970. Times are finite and may be out of order.
  public var samples: MotionBatch
  /// How finely the times of ``samples`` resolve.
  public var timeResolution: TimeResolution
  /// Samples per second as the sender says for each sample, NaN where it does not; empty where it
  /// says nothing at all.
  public var captureFrequenciesHz: [Double]
  /// Seconds since 1970 at the first sample, where the chunk or its metadata gives a date.
  public var unixTimeOfFirstSample: Double?
  public var metadata: ChunkMetadata
  /// The acceleration in ``samples`` is filed as user acceleration, but nothing says whether
  /// gravity is in it; ``ChunkReassembler`` decides on the recording as a whole.
  public var gravityIsUncertain: Bool

  public enum TimeResolution: Sendable, Hashable {
    case exact
    /// The times are whole seconds that many samples share. ``ChunkReassembler`` rebuilds them.
    case wholeSeconds
  }

  public init(
    identity: SetIdentity = SetIdentity(), phase: WorkoutPhase? = nil, chunkId: String? = nil,
    samples: MotionBatch, timeResolution: TimeResolution = .exact,
    captureFrequenciesHz: [Double] = [], unixTimeOfFirstSample: Double? = nil,
    metadata: ChunkMetadata = ChunkMetadata(), gravityIsUncertain: Bool = false
  ) {
    self.identity = identity
    self.phase = phase
    self.chunkId = chunkId
    self.samples = samples
    self.timeResolution = timeResolution
    self.captureFrequenciesHz = captureFrequenciesHz
    self.unixTimeOfFirstSample = unixTimeOfFirstSample
    self.metadata = metadata
    self.gravityIsUncertain = gravityIsUncertain
  }
}

extension DecodedChunk {
  /// The chunk with times rebuilt from whole seconds, as far as it alone tells: for live use, before
  /// its neighbours are there. Chunks with exact times stay as they are.
  ///
  /// The times of neighbouring chunks may overlap by some samples. ``ChunkReassembler`` resolves them
  /// on all chunks together, and wants the chunk as it was decoded.
  package func withRebuiltTimes() -> DecodedChunk {
    guard timeResolution == .wholeSeconds, !samples.isEmpty else { return self }
    var result = self
    let stamps = samples.times
    let order = stamps.indices.sorted { (stamps[$0], $0) < (stamps[$1], $1) }
    result.samples = samples.selecting(order)
    let rates = order.map { captureFrequencyHz(ofRow: $0) }
    result.samples[.time] = WholeSecondTimes.rebuild(
      stamps: result.samples.times, ratesHz: rates)
    result.timeResolution = .exact
    if !captureFrequenciesHz.isEmpty { result.captureFrequenciesHz = rates }
    result.unixTimeOfFirstSample = result.samples.times.first
    return result
  }

  /// Samples per second at a row as stated, else as usual in the phase, else NaN.
  func captureFrequencyHz(ofRow row: Int) -> Double {
    // Whoever made the chunk may have stated fewer than there are rows.
    let stated = captureFrequenciesHz.indices.contains(row) ? captureFrequenciesHz[row] : .nan
    // Beyond what any sensor does it is a mistake, and times rebuilt by it would be.
    if (0.5...2000).contains(stated) { return stated }
    return switch phase {
    case .execution: 50
    case .rest: 20
    case nil: .nan
    }
  }
}

/// What a chunk's metadata or sidecar says besides ids and phase.
public struct ChunkMetadata: Sendable, Hashable {
  /// `sensorData` for the watch app's chunks.
  public var type: String?
  public var planId: String?
  public var setOrder: Int?
  public var exerciseIndex: Int?
  /// The number of samples as stated, which need not be the number there is.
  public var statedCount: Int?
  /// Seconds since 1970 when the chunk was sent.
  public var unixTime: Double?

  public init(
    type: String? = nil, planId: String? = nil, setOrder: Int? = nil, exerciseIndex: Int? = nil,
    statedCount: Int? = nil, unixTime: Double? = nil
  ) {
    self.type = type
    self.planId = planId
    self.setOrder = setOrder
    self.exerciseIndex = exerciseIndex
    self.statedCount = statedCount
    self.unixTime = unixTime
  }
}
