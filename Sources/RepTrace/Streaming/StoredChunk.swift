import ChunkDecoding
import Motion
import TimelineStore

/// A chunk kept in memory until its set is settled, its samples compressed without loss.
struct StoredChunk: Sendable {
  /// The chunk without its samples.
  private var shell: DecodedChunk
  /// The samples as a timeline's blob.
  private var blob: [UInt8]
  /// The samples where they cannot be compressed.
  private var samples: MotionBatch?
  let count: Int
  /// Seconds on the samples' clock; nil without samples. Of the times as rebuilt for live use.
  let first: Double?
  let last: Double?

  init(_ chunk: DecodedChunk) {
    shell = chunk
    shell.samples = MotionBatch(units: chunk.samples.units, clock: chunk.samples.clock)
    count = chunk.samples.count
    let times = chunk.withRebuiltTimes().samples.times
    let scale = chunk.samples.units.time.unitsPerSecond
    first = times.min().map { $0 / scale }
    last = times.max().map { $0 / scale }
    blob = []
    guard count > 0 else { return }
    do {
      blob = try TimelineEncoder().encode(Timeline(samples: chunk.samples))
    } catch {
      samples = chunk.samples
    }
  }

  /// The chunk as it was received.
  var chunk: DecodedChunk {
    var result = shell
    if let samples {
      result.samples = samples
    } else if count > 0, let timeline = try? TimelineDecoder().decode(blob) {
      result.samples = timeline.samples
    }
    return result
  }

  var byteCount: Int { blob.count }
}
