import ChunkDecoding
import Motion
import TimelineFormat

/// A chunk kept in memory until its set is settled, its samples packed without loss, or, if that may
/// take long, compressed. What its set knows for all chunks (the ids) is not kept.
struct StoredChunk: Sendable {
  private enum Rates: Sendable {
    case unknown
    case constant(Double)
    case each([Double])
  }

  private enum Samples: Sendable {
    case none(MotionUnits, MotionClock)
    case packed(PackedSamples)
    /// A timeline's blob.
    case compressed([UInt8])
  }

  let count: Int
  /// Seconds on the samples' clock; nil without samples. Of the times as rebuilt for live use.
  let first: Double?
  let last: Double?
  private var samples: Samples
  private let rates: Rates
  private let phase: WorkoutPhase?
  private let timeResolution: DecodedChunk.TimeResolution
  private let gravityIsUncertain: Bool
  private let unixTimeOfFirstSample: Double?
  private let sentUnixTime: Double?

  init(_ chunk: DecodedChunk) {
    let batch = chunk.samples
    let scale = batch.units.time.unitsPerSecond
    let times = chunk.withRebuiltTimes().samples.times
    count = batch.count
    first = times.min().map { $0 / scale }
    last = times.max().map { $0 / scale }
    phase = chunk.phase
    timeResolution = chunk.timeResolution
    gravityIsUncertain = chunk.gravityIsUncertain
    unixTimeOfFirstSample = chunk.unixTimeOfFirstSample
    sentUnixTime = chunk.metadata.unixTime
    let frequencies = chunk.captureFrequenciesHz
    if let one = frequencies.first {
      rates =
        frequencies.allSatisfy { $0.bitPattern == one.bitPattern }
        ? .constant(one) : .each(frequencies)
    } else {
      rates = .unknown
    }
    samples = batch.isEmpty ? .none(batch.units, batch.clock) : .packed(PackedSamples(batch))
  }

  /// Of its samples.
  var byteCount: Int {
    switch samples {
    case .none: 0
    case .packed(let packed): packed.byteCount
    case .compressed(let blob): blob.count
    }
  }

  /// Makes it half as large, in ten times the time.
  mutating func compress() {
    guard case .packed(let packed) = samples,
      let blob = try? TimelineEncoder().encode(Timeline(samples: packed.batch))
    else { return }
    // Without the room that an array keeps for growing.
    samples = .compressed(blob.withUnsafeBytes { [UInt8]($0) })
  }

  /// The chunk as it was received, without ids.
  var chunk: DecodedChunk {
    var result = DecodedChunk(samples: batch)
    result.phase = phase
    result.timeResolution = timeResolution
    result.gravityIsUncertain = gravityIsUncertain
    result.unixTimeOfFirstSample = unixTimeOfFirstSample
    result.metadata.unixTime = sentUnixTime
    switch rates {
    case .unknown: break
    case .constant(let rate): result.captureFrequenciesHz = Array(repeating: rate, count: count)
    case .each(let rates): result.captureFrequenciesHz = rates
    }
    return result
  }

  private var batch: MotionBatch {
    switch samples {
    case .none(let units, let clock): MotionBatch(units: units, clock: clock)
    case .packed(let packed): packed.batch
    case .compressed(let blob): (try? TimelineDecoder().decode(blob).samples) ?? MotionBatch()
    }
  }
}
