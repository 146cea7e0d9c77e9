import Motion

/// Samples that were sent together, with their metadata.
public struct DecodedChunk: Sendable {
  public var identity: SetIdentity
  public var phase: WorkoutPhase?
  /// The sender's id of the chunk, if any.
  public var chunkId: String?
  /// Samples in input order, with the input's values and units; dates as seconds or milliseconds since 1970.
  /// Times are finite but may be out of order.
  public var samples: MotionBatch
  /// The resolution of the times of ``samples``.
  public var timeResolution: TimeResolution
  /// Sampling rate of each sample as stated by the sender, in hertz; NaN if missing. May be empty.
  public var captureFrequenciesHz: [Double]
  /// Date of the first sample, in seconds since 1970, if the chunk or its metadata gives one.
  public var unixTimeOfFirstSample: Double?
  public var metadata: ChunkMetadata
  /// True if the acceleration in ``samples``, stored as user acceleration, may include gravity.
  /// ``ChunkReassembler`` decides this for the recording as a whole.
  public var gravityIsUncertain: Bool

  public enum TimeResolution: Sendable, Hashable {
    case exact
    /// The times are whole seconds shared by many samples. ``ChunkReassembler`` rebuilds them.
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
  /// Returns the chunk with times rebuilt from whole seconds, using this chunk alone: for live use, before
  /// its neighbors have arrived. Chunks with exact times are returned unchanged.
  ///
  /// Rebuilt times of neighboring chunks may overlap by some samples. ``ChunkReassembler`` resolves that
  /// with all chunks, and needs them as decoded.
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

  /// Returns the sampling rate at a row, in hertz: as stated, else the phase's usual rate, else NaN.
  func captureFrequencyHz(ofRow row: Int) -> Double {
    // A chunk made by a caller may state fewer rates than it has rows.
    let stated = captureFrequenciesHz.indices.contains(row) ? captureFrequenciesHz[row] : .nan
    // A rate beyond those of real sensors is an error, and times rebuilt from it would be wrong.
    if (0.5...2000).contains(stated) { return stated }
    return switch phase {
    case .execution: 50
    case .rest: 20
    case nil: .nan
    }
  }
}

/// The fields of a chunk's metadata or sidecar other than ids and phase.
public struct ChunkMetadata: Sendable, Hashable {
  /// `sensorData` for the watch app's chunks.
  public var type: String?
  public var planId: String?
  public var setOrder: Int?
  public var exerciseIndex: Int?
  /// The stated number of samples, which may differ from the actual number.
  public var statedCount: Int?
  /// Time of sending, in seconds since 1970.
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
