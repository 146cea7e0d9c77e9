import Motion

/// Builds a chunk from parsed rows: selects the clock, recognizes units and reports dropped rows.
struct ChunkBuilder {
  let options: DecodingOptions
  let fields: ChunkFields
  /// Offset of the value, for messages.
  let start: Int

  func chunk(
    from rows: SampleRows, issues: inout [DecodingIssue]
  ) throws(DecodingFailure) -> DecodedChunk {
    if rows.dropped > 0 {
      if rows.count == 0 {
        throw DecodingFailure(
          .noUsableSample, "none of \(rows.dropped) samples has finite numbers for all its values",
          byteOffset: rows.firstDropped)
      }
      issues.note(
        DecodingIssue(
          .droppedSamples, "\(rows.dropped) samples with values that are no finite numbers dropped",
          count: rows.dropped, byteOffset: rows.firstDropped))
    }
    if let stated = fields.count, stated != rows.count + rows.dropped + rows.empty {
      issues.note(
        DecodingIssue(
          .wrongCount,
          "the metadata states \(stated) samples, there are \(rows.count + rows.dropped + rows.empty)",
          byteOffset: start))
    }
    var phase: WorkoutPhase?
    if let name = fields.phase {
      phase = WorkoutPhase(rawValue: name)
      if phase == nil {
        issues.note(
          DecodingIssue(
            .unknownValue, "phase \"\(name)\" is neither execution nor rest", byteOffset: start))
      }
    }
    var chunk = DecodedChunk(
      identity: fields.identity, phase: phase, chunkId: fields.chunkId, samples: MotionBatch(),
      unixTimeOfFirstSample: fields.startTime?.unixTime(options.dateEncoding),
      metadata: fields.metadata(options.dateEncoding))
    guard rows.count > 0 else { return chunk }
    try fill(&chunk, from: rows, issues: &issues)
    return chunk
  }

  private func fill(
    _ chunk: inout DecodedChunk, from rows: SampleRows, issues: inout [DecodingIssue]
  ) throws(DecodingFailure) {
    let timeSlot = Int(MotionChannel.time.rawValue)
    let dateSlot = Int(SampleField.capturedAt.code)
    let usesTimestamp = rows.has(timeSlot)
    guard usesTimestamp || rows.has(dateSlot) else {
      throw DecodingFailure(
        .notAChunk, "no chunk: the samples have neither \"timestamp\" nor \"capturedAt\"",
        byteOffset: start)
    }
    let slot = usesTimestamp ? timeSlot : dateSlot
    var times = rows.column(slot)
    var kept: [Int]?
    if times.contains(where: { $0.isNaN }) {
      let good = times.indices.filter { !times[$0].isNaN }
      issues.note(
        DecodingIssue(
          .droppedSamples, "\(times.count - good.count) samples without a time dropped",
          count: times.count - good.count, byteOffset: start))
      times = good.map { times[$0] }
      kept = good
    }
    func column(_ slot: Int) -> [Double] {
      let values = rows.column(slot)
      guard let kept else { return values }
      return kept.map { values[$0] }
    }

    var units = MotionUnits.standard
    var clock = MotionClock.device
    let first = times[0]
    if rows.hasText(slot) {
      clock = .unix
      if rows.hasWholeSeconds(slot) { chunk.timeResolution = .wholeSeconds }
      chunk.unixTimeOfFirstSample = first
    } else {
      let recognized = DateEncoding.recognize(first)
      let encoding =
        usesTimestamp
        ? (recognized == nil ? nil : options.dateEncoding ?? recognized)
        : options.dateEncoding ?? recognized
      if let encoding {
        chunk.unixTimeOfFirstSample = encoding.unixTime(first)
        switch encoding {
        case .secondsSince1970, .iso8601: clock = .unix
        case .millisecondsSince1970:
          clock = .unix
          units.time = .milliseconds
        case .secondsSince2001:
          // Dates become seconds since 1970; a sample's `timestamp` is a clock reading and stays unchanged.
          if !usesTimestamp {
            clock = .unix
            times = times.map { $0 + DateEncoding.secondsFrom1970To2001 }
          }
        }
      }
    }
    if usesTimestamp, rows.has(dateSlot), let date = column(dateSlot).first, !date.isNaN {
      chunk.unixTimeOfFirstSample =
        rows.hasText(dateSlot) ? date : (options.dateEncoding ?? .recognize(date))?.unixTime(date)
    }
    if chunk.unixTimeOfFirstSample == nil, clock == .unix { chunk.unixTimeOfFirstSample = first }

    var batch = MotionBatch([.time: times], units: units, clock: clock)
    for channel in MotionChannel.allCases where channel != .time {
      if rows.has(Int(channel.rawValue)) { batch[channel] = column(Int(channel.rawValue)) }
    }
    UnitRecognition.recognizeFromGravity(&batch)
    chunk.gravityIsUncertain = batch.has(.userAcceleration) && !batch.has(.gravity)
    chunk.samples = batch
    if rows.has(SampleField.captureFrequency) {
      chunk.captureFrequenciesHz = column(Int(SampleField.captureFrequency.code))
    } else if let rate = fields.samplingRate, rate.isFinite {
      chunk.captureFrequenciesHz = Array(repeating: rate, count: batch.count)
    }
  }
}
