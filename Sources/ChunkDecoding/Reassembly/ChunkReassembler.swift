import Motion

/// Combines the chunks of a recording that arrive in any order, split and repeated.
///
/// 1. Chunks are sorted by first and last time, then by content; the order of arrival does not matter.
/// 2. Samples are sorted by time. Exact duplicates (equal time, equal bits in all columns) are dropped.
/// 3. Different samples with equal times are kept, in the order of the chunks with several of them. A
///    contradiction between two chunks that both extend beyond that time is counted.
/// 4. Times in whole seconds are rebuilt (`WholeSecondTimes`). Equal samples of one chunk within a second are
///    separate samples, of a wrist at rest.
/// 5. If nothing states whether acceleration includes gravity, its length at rest decides.
///
/// Nothing is interpolated in gaps.
public struct ChunkReassembler: Sendable {
  private var chunks: [DecodedChunk] = []
  private var health: [HealthReading] = []
  private var lateChunks = 0
  private var latestStart = -Double.infinity

  public init() {}

  /// Adds a chunk.
  ///
  /// - Complexity: O(samples of the chunk).
  public mutating func add(_ chunk: DecodedChunk) {
    if let first = chunk.samples.times.first {
      let seconds = first / chunk.samples.units.time.unitsPerSecond
      if seconds < latestStart { lateChunks += 1 }
      latestStart = max(latestStart, seconds)
    }
    chunks.append(chunk)
  }

  /// Adds a heart rate reading.
  public mutating func add(_ reading: HealthReading) {
    health.append(reading)
  }

  /// Returns the recording of all chunks so far.
  ///
  /// - Complexity: O(n log n) for n samples; O(n) if the chunks are in order.
  public func assemble(name: String) -> ReassembledRecording {
    var statistics = ReassemblyStatistics()
    var issues: [DecodingIssue] = []
    statistics.chunks = chunks.count
    statistics.lateChunks = lateChunks
    var filled = chunks.filter { !$0.samples.isEmpty }
    statistics.emptyChunks = chunks.count - filled.count
    unify(&filled, issues: &issues)
    let spans = filled.map { ChunkSpan($0) }
    let order = filled.indices.sorted { a, b in
      spans[a].precedes(spans[b]) ?? Self.precedes(filled[a], filled[b])
    }
    filled = order.map { filled[$0] }

    var batch = MotionBatch(
      units: filled.first?.samples.units ?? .standard, clock: filled.first?.samples.clock ?? .device
    )
    var origins: [Int32] = []
    for (index, chunk) in filled.enumerated() {
      batch.append(chunk.samples)
      origins.append(contentsOf: repeatElement(Int32(index), count: chunk.samples.count))
    }
    for chunk in filled {
      let times = chunk.samples.times
      for row in times.indices.dropFirst() where times[row] < times[row - 1] {
        statistics.backwardSteps += 1
      }
    }

    let isWholeSeconds =
      !filled.isEmpty && filled.allSatisfy { $0.timeResolution == .wholeSeconds }
    var merge = EqualTimeMerge(
      batch, origins: origins, chunkCount: filled.count, keepsRepetitions: isWholeSeconds)
    merge.run()
    statistics.duplicateSamples = merge.duplicates
    statistics.conflictingSamples = merge.conflicts
    noteOverlaps(order.map { spans[$0] }, merge, &statistics)
    if merge.rows.count != batch.count || merge.isReordered {
      batch = batch.selecting(merge.rows)
    }
    let rowChunks = merge.rows.map { Int(origins[$0]) }

    if isWholeSeconds {
      rebuildTimes(&batch, filled, merge)
      statistics.hasRebuiltTimes = true
    }
    decideGravity(&batch, filled)
    statistics.samples = batch.count
    noteIntervals(batch, &statistics)

    var recording = Recording(
      name: name, identity: Self.identity(of: chunks), samples: batch,
      phases: Self.phases(of: rowChunks.map { filled[$0].phase }), health: orderedHealth())
    recording.unixTimeOfFirstSample = Self.unixTime(ofFirstSampleIn: batch, filled)
    return ReassembledRecording(recording: recording, statistics: statistics, issues: issues)
  }

  /// Converts all chunks to the same units if they differ.
  private func unify(_ chunks: inout [DecodedChunk], issues: inout [DecodingIssue]) {
    guard let units = chunks.first?.samples.units else { return }
    if chunks.contains(where: { $0.samples.units != units }) {
      for index in chunks.indices {
        chunks[index].samples = chunks[index].samples.inStandardUnits()
      }
      issues.append(
        DecodingIssue(.assumption, "chunks have different units; converted to s, g, rad, rad/s"))
    }
    if Set(chunks.map({ $0.samples.clock })).count > 1 {
      issues.append(
        DecodingIssue(.assumption, "some chunks count time from 1970, others do not"))
    }
  }

  /// Orders chunks with equal times by content. The order is total.
  private static func precedes(_ a: DecodedChunk, _ b: DecodedChunk) -> Bool {
    for channel in MotionChannel.allCases {
      let (valuesA, valuesB) = (a.samples[channel], b.samples[channel])
      if valuesA.count != valuesB.count { return valuesA.count < valuesB.count }
      for (x, y) in zip(valuesA, valuesB) where x.bitPattern != y.bitPattern {
        return x.bitPattern < y.bitPattern
      }
    }
    let keyA = (a.chunkId ?? "", a.phase?.rawValue ?? "", a.identity.setId ?? "")
    return keyA < (b.chunkId ?? "", b.phase?.rawValue ?? "", b.identity.setId ?? "")
  }

  private func noteOverlaps(
    _ spans: [ChunkSpan], _ merge: EqualTimeMerge, _ statistics: inout ReassemblyStatistics
  ) {
    var latestEnd = -Double.infinity
    for (index, span) in spans.enumerated() {
      if merge.keptByChunk[index] == 0 {
        statistics.repeatedChunks += 1
      } else if span.first < latestEnd {
        statistics.overlappingChunks += 1
      }
      latestEnd = max(latestEnd, span.last)
    }
  }

  private func rebuildTimes(
    _ batch: inout MotionBatch, _ filled: [DecodedChunk], _ merge: EqualTimeMerge
  ) {
    let starts = filled.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.samples.count) }
    let rates = merge.rows.map { row in
      let chunk = Int(merge.origins[row])
      return filled[chunk].captureFrequencyHz(ofRow: row - starts[chunk])
    }
    batch[.time] = WholeSecondTimes.rebuild(stamps: batch.times, ratesHz: rates)
  }

  private func decideGravity(_ batch: inout MotionBatch, _ filled: [DecodedChunk]) {
    guard !filled.isEmpty, filled.allSatisfy({ $0.gravityIsUncertain }), !batch.has(.gravity),
      !batch.has(.totalAcceleration)
    else { return }
    let from = MotionQuantity.userAcceleration.channels
    guard
      let found = UnitRecognition.recognizeAcceleration(
        x: batch[from[0]], y: batch[from[1]], z: batch[from[2]])
    else { return }
    // JSON does not state the unit, which defaults to g; a frame may state m/s², which is then kept.
    if batch.units.userAcceleration == .g { batch.units.userAcceleration = found.unit }
    batch.units.totalAcceleration = batch.units.userAcceleration
    if found.includesGravity, found.unit == batch.units.userAcceleration {
      batch.moveUserAccelerationToTotal()
    }
  }

  private func noteIntervals(_ batch: MotionBatch, _ statistics: inout ReassemblyStatistics) {
    let times = batch.times
    let scale = batch.units.time.unitsPerSecond
    var intervals: [Double] = []
    intervals.reserveCapacity(times.count)
    for row in times.indices.dropFirst() {
      let interval = (times[row] - times[row - 1]) / scale
      if interval > 0 { intervals.append(interval) } else { statistics.samplesSharingTime += 1 }
    }
    guard !intervals.isEmpty else { return }
    intervals.sort()
    let limit = max(0.2, 4 * intervals[intervals.count / 2])
    for row in times.indices.dropFirst() {
      let interval = (times[row] - times[row - 1]) / scale
      guard interval > limit else { continue }
      statistics.gaps.append(.init(start: times[row - 1] / scale, end: times[row] / scale))
      if interval > 3600 { statistics.clockJumps += 1 }
    }
  }

  private func orderedHealth() -> [HealthReading] {
    let sorted = health.sorted {
      ($0.unixTime, $0.heartRateBPM ?? -1, $0.calories ?? -1)
        < ($1.unixTime, $1.heartRateBPM ?? -1, $1.calories ?? -1)
    }
    return sorted.enumerated().filter { $0.offset == 0 || sorted[$0.offset - 1] != $0.element }
      .map { $0.element }
  }

  private static func identity(of chunks: [DecodedChunk]) -> SetIdentity {
    SetIdentity(
      sessionId: chunks.compactMap { $0.identity.sessionId }.min(),
      exerciseId: chunks.compactMap { $0.identity.exerciseId }.min(),
      setId: chunks.compactMap { $0.identity.setId }.min())
  }

  private static func phases(of rows: [WorkoutPhase?]) -> [PhaseSpan] {
    var spans: [PhaseSpan] = []
    var start = 0
    for row in rows.indices where row + 1 == rows.count || rows[row + 1] != rows[row] {
      if let phase = rows[row] { spans.append(PhaseSpan(rows: start..<row + 1, phase: phase)) }
      start = row + 1
    }
    return spans
  }

  /// Returns the date of the first sample, in seconds since 1970: from the clock itself, a date with the
  /// samples, or the earliest date that times of sending imply.
  private static func unixTime(
    ofFirstSampleIn batch: MotionBatch, _ chunks: [DecodedChunk]
  ) -> Double? {
    guard let first = batch.times.first else { return nil }
    let scale = batch.units.time.unitsPerSecond
    if batch.clock == .unix { return first / scale }
    let dated = chunks.compactMap { chunk -> Double? in
      guard let date = chunk.unixTimeOfFirstSample, let time = chunk.samples.times.first else {
        return nil
      }
      return date - (time - first) / scale
    }
    if let earliest = dated.min() { return earliest }
    return chunks.compactMap { chunk -> Double? in
      guard let sent = chunk.metadata.unixTime, let time = chunk.samples.times.max() else {
        return nil
      }
      return sent - (time - first) / scale
    }.min()
  }
}

/// The time interval of a chunk.
struct ChunkSpan {
  var first: Double
  var last: Double
  var sent: Double
  var count: Int

  init(_ chunk: DecodedChunk) {
    first = chunk.samples.times.min() ?? 0
    last = chunk.samples.times.max() ?? 0
    sent = chunk.metadata.unixTime ?? 0
    count = chunk.samples.count
  }

  /// Returns the order of two chunks by time; nil if it depends on their content.
  func precedes(_ other: ChunkSpan) -> Bool? {
    if first != other.first { return first < other.first }
    if last != other.last { return last < other.last }
    if sent != other.sent { return sent < other.sent }
    if count != other.count { return count < other.count }
    return nil
  }
}
