import ChunkDecoding
import Motion
import SignalProcessing
import TimelineFormat

extension Recording {
  /// Time of the last sample, in seconds on the samples' clock.
  var lastTimeSeconds: Double? {
    samples.times.last.map { $0 / samples.units.time.unitsPerSecond }
  }

  /// A hash of samples and phases, stable across runs.
  var contentHash: UInt64 {
    var words: [UInt64] = [UInt64(samples.count)]
    for channel in samples.channels {
      words.append(UInt64(channel.rawValue))
      words.append(samples.withColumn(channel) { XXHash64.hash(UnsafeRawBufferPointer($0)) })
    }
    for span in phases {
      words.append(UInt64(span.rows.lowerBound) << 1 | (span.phase == .rest ? 1 : 0))
      words.append(UInt64(span.rows.upperBound))
    }
    return words.withUnsafeBytes { XXHash64.hash($0) }
  }

  /// Splits the recording into chunks of one phase each, as if they had been received.
  ///
  /// - Parameter isDatedBySending: True if the recording's date is the time when a chunk was sent.
  func chunksByPhase(isDatedBySending: Bool = false) -> [DecodedChunk] {
    var chunks: [DecodedChunk] = []
    let scale = samples.units.time.unitsPerSecond
    func add(_ span: Range<Int>, _ phase: WorkoutPhase?) {
      for start in stride(from: span.lowerBound, to: span.upperBound, by: 4096) {
        addChunk(start..<min(start + 4096, span.upperBound), phase)
      }
    }
    func addChunk(_ rows: Range<Int>, _ phase: WorkoutPhase?) {
      var chunk = DecodedChunk(identity: identity, phase: phase, samples: samples[rows])
      if let date = unixTimeOfFirstSample, let first = samples.times.first {
        if isDatedBySending {
          let last = chunk.samples.times.max() ?? first
          chunk.metadata.unixTime = date + (last - first) / scale
        } else {
          chunk.unixTimeOfFirstSample = date + (samples.times[rows.lowerBound] - first) / scale
        }
      }
      chunks.append(chunk)
    }
    var row = 0
    for span in phases {
      add(row..<span.rows.lowerBound, nil)
      add(span.rows, span.phase)
      row = span.rows.upperBound
    }
    add(row..<samples.count, nil)
    return chunks
  }
}

extension Recording {
  /// Sample times in ascending order, in seconds on the samples' clock.
  var sampleTimesSeconds: [Double] { samples.timesSeconds.filter(\.isFinite).sorted() }
}

extension MotionBatch {
  var timesSeconds: [Double] {
    let scale = units.time.unitsPerSecond
    return times.map { $0 / scale }
  }
}

extension DecodedChunk {
  /// Returns the chunk without the samples that a history already holds, within the error bounds of both.
  ///
  /// - Parameter times: Times of the history's samples, ascending, in seconds.
  func without(samplesNear times: [Double]) -> DecodedChunk {
    let tolerance = 2 * ErrorBounds.standard.time
    let own = samples.timesSeconds
    let rows = own.indices.filter { row in
      let next = times.partitioningIndex { $0 >= own[row] - tolerance }
      return next == times.count || times[next] > own[row] + tolerance
    }
    guard rows.count < own.count else { return self }
    var rest = self
    rest.samples = samples.selecting(rows)
    if captureFrequenciesHz.count == own.count {
      rest.captureFrequenciesHz = rows.map { captureFrequenciesHz[$0] }
    }
    if let date = unixTimeOfFirstSample, let first = rows.first {
      rest.unixTimeOfFirstSample = date + own[first] - own[0]
    }
    return rest
  }
}

extension SetIdentity {
  /// Merges two identities. If ids differ, the one that sorts first wins, so that the order of merging does
  /// not matter. Of two spellings of one id, the first is kept.
  func joined(with other: SetIdentity) -> SetIdentity {
    func first(_ a: String?, _ b: String?) -> String? {
      guard let a, let b else { return a ?? b }
      return b < a && a.uppercased() != b.uppercased() ? b : a
    }
    return SetIdentity(
      sessionId: first(sessionId, other.sessionId),
      exerciseId: first(exerciseId, other.exerciseId), setId: first(setId, other.setId))
  }
}

/// The relation of a set's clock to dates.
struct DateRelation: Sendable {
  private(set) var clock: MotionClock = .device
  /// Date of time 0 on the samples' clock, in seconds since 1970.
  private var origin: Double?
  /// Reliability of the source of `origin`: 0 for none, 3 for a date in the samples.
  private var trust = 0

  mutating func note(_ chunk: DecodedChunk, controlUnixTime: Double?) {
    guard let first = chunk.samples.times.first else { return }
    clock = chunk.samples.clock
    let scale = chunk.samples.units.time.unitsPerSecond
    if let date = chunk.unixTimeOfFirstSample {
      note(date - first / scale, trust: 3)
    } else if let sent = chunk.metadata.unixTime, let last = chunk.samples.times.max() {
      note(sent - last / scale, trust: 2)
    } else if let controlUnixTime, trust == 0 {
      note(controlUnixTime - first / scale, trust: 1)
    }
  }

  mutating func note(_ recording: Recording) {
    clock = recording.samples.clock
    guard let date = recording.unixTimeOfFirstSample, let first = recording.samples.times.first
    else { return }
    note(date - first / recording.samples.units.time.unitsPerSecond, trust: 3)
  }

  /// Records an origin. The earliest of equally reliable origins has the shortest transfer delay and is kept.
  private mutating func note(_ candidate: Double, trust: Int) {
    guard candidate.isFinite, trust >= self.trust else { return }
    origin = trust == self.trust ? min(origin ?? candidate, candidate) : candidate
    self.trust = trust
  }

  func unixTime(at time: Double) -> Double? { clock == .unix ? time : origin.map { $0 + time } }
}
