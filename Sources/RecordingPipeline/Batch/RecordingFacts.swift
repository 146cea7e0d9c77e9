import ChunkDecoding
import Motion
import RecordingInput

/// Quality figures of a recording, for an overview of thousands.
package struct RecordingFacts: Sendable, Hashable, Codable {
  package var sampleCount = 0
  /// Time from the first to the last sample, in seconds.
  package var seconds = 0.0
  /// Sampling rate outside of gaps, in hertz; nil with fewer than two samples.
  package var rateHz: Double?
  package var gapCount = 0
  package var gapSeconds = 0.0
  /// Number of samples in which an axis is at the limit of its sensor's range.
  package var clippedSamples = 0
  /// Number of exact repetitions that were dropped.
  package var duplicateSamples = 0

  package init() {}

  init(_ loaded: LoadedRecording) {
    var intervals: [Double] = []
    var first = Double.infinity
    var last = -Double.infinity
    for part in loaded.parts {
      let samples = part.recording.samples
      let scale = samples.units.time.unitsPerSecond
      let times = samples.times
      sampleCount += samples.count
      duplicateSamples += part.statistics.duplicateSamples
      gapCount += part.statistics.gaps.count
      gapSeconds += part.statistics.gaps.reduce(0) { $0 + $1.end - $1.start }
      if let start = times.first, let end = times.last {
        first = min(first, start / scale)
        last = max(last, end / scale)
      }
      for row in times.indices.dropFirst() where times[row] > times[row - 1] {
        intervals.append((times[row] - times[row - 1]) / scale)
      }
      clippedSamples += Self.clippedSamples(in: samples)
    }
    seconds = max(0, last - first)
    intervals.sort()
    if !intervals.isEmpty { rateHz = 1 / intervals[intervals.count / 2] }
  }

  /// Returns the number of samples in runs of three or more at the minimum or maximum of an axis, beyond
  /// what a wrist at rest shows.
  private static func clippedSamples(in samples: MotionBatch) -> Int {
    let standard = samples.inStandardUnits()
    var isClipped = [Bool](repeating: false, count: standard.count)
    for quantity in [MotionQuantity.userAcceleration, .totalAcceleration, .rotationRate] {
      // In g or rad/s.
      let least = quantity == .rotationRate ? 4.0 : 1.5
      for channel in quantity.channels where standard.has(channel) {
        let values = standard[channel]
        let finite = values.lazy.filter(\.isFinite)
        guard let low = finite.min(), let high = finite.max() else { continue }
        for limit in [low, high] where abs(limit) > least {
          var start = 0
          while start < values.count {
            guard values[start] == limit else {
              start += 1
              continue
            }
            var end = start
            while end < values.count, values[end] == limit { end += 1 }
            if end - start >= 3 { for row in start..<end { isClipped[row] = true } }
            start = end
          }
        }
      }
    }
    return isClipped.count { $0 }
  }
}
