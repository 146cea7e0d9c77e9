import Motion
import SignalProcessing
import TimelineFormat

/// The timelines of a recording's segments, ready to be encoded.
struct SegmentTimelines {
  var timelines: [(timeline: Timeline, rows: Range<Int>, set: Int?)]

  init(
    of recording: Recording, segments: [RecordingSegments.Segment], sets: [CountedSet],
    provenance: TimelineProvenance?, movementCurves: [[MovementPoint]] = []
  ) {
    let samples = recording.samples
    var segments = segments
    if segments.isEmpty, !recording.health.isEmpty {
      segments = [RecordingSegments.Segment(rows: 0..<0, set: nil)]
    }
    var health = Self.health(of: recording, by: segments)
    timelines = []
    for (index, segment) in segments.enumerated() {
      var timeline = Timeline(
        samples: samples[segment.rows], phases: recording.phases(in: segment.rows),
        health: health[index])
      health[index] = []
      if let first = timeline.samples.times.first {
        timeline.unixTimeOfFirstSample = recording.unixTime(
          atSeconds: first / samples.units.time.unitsPerSecond)
      }
      if let set = segment.set {
        timeline.set = sets[set]
        if movementCurves.indices.contains(set) { timeline.movementCurve = movementCurves[set] }
        timeline.identity = recording.identity
        timeline.provenance = provenance
      }
      timelines.append((timeline, segment.rows, segment.set))
    }
  }

  /// Assigns each reading to the segment at its time. If dates and the samples' clock cannot be related, all
  /// readings go to the first segment with a set, or else to the first.
  private static func health(
    of recording: Recording, by segments: [RecordingSegments.Segment]
  ) -> [[HealthReading]] {
    var readings = [[HealthReading]](repeating: [], count: segments.count)
    guard !recording.health.isEmpty, !segments.isEmpty else { return readings }
    let times = recording.samples.times
    let scale = recording.samples.units.time.unitsPerSecond
    let starts: [Double]? =
      times.isEmpty || recording.unixTime(atSeconds: 0) == nil
      ? nil
      : segments.map { segment in
        let row = min(segment.rows.lowerBound, times.count - 1)
        return recording.unixTime(atSeconds: times[row] / scale) ?? 0
      }
    let fallback = segments.firstIndex { $0.set != nil } ?? 0
    for reading in recording.health {
      guard let starts else {
        readings[fallback].append(reading)
        continue
      }
      readings[starts.lastIndex(atMost: reading.unixTime) ?? 0].append(reading)
    }
    return readings
  }
}

extension [Double] {
  /// Returns the index of the last of ascending numbers that is not greater than a value. O(log n).
  func lastIndex(atMost value: Double) -> Int? {
    // No number is at most NaN.
    let next = partitioningIndex { !($0 <= value) }
    return next > startIndex ? next - 1 : nil
  }
}

extension Recording {
  /// Returns the date at a time of the samples' clock; nil if the source gave no date.
  package func unixTime(atSeconds seconds: Double) -> Double? {
    if samples.clock == .unix { return seconds }
    guard let base = unixTimeOfFirstSample, let first = samples.times.first else { return nil }
    return base + (seconds - first / samples.units.time.unitsPerSecond)
  }

  /// The dates of the first and the last sample; nil if the source gave no date.
  var dates: (first: Double, last: Double)? {
    let scale = samples.units.time.unitsPerSecond
    guard let first = samples.times.first, let last = samples.times.last,
      let start = unixTime(atSeconds: first / scale), let end = unixTime(atSeconds: last / scale)
    else { return nil }
    return (start, end)
  }

  fileprivate func phases(in rows: Range<Int>) -> [PhaseSpan] {
    phases.compactMap { span in
      let common = span.rows.clamped(to: rows)
      guard !common.isEmpty else { return nil }
      return PhaseSpan(
        rows: common.lowerBound - rows.lowerBound..<common.upperBound - rows.lowerBound,
        phase: span.phase)
    }
  }
}
