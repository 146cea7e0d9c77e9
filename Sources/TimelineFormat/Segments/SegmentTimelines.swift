import Motion
import SignalProcessing

/// The timelines of a recording's segments, ready to be encoded.
package struct SegmentTimelines {
  package var timelines: [(timeline: Timeline, rows: Range<Int>, set: Int?)]

  package init(
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
  /// Appends the contents of the next segment, joining a phase that was split at their boundary.
  package mutating func append(_ timeline: Timeline) {
    let offset = samples.count
    if samples.channels.isEmpty {
      samples = timeline.samples
    } else {
      samples.append(timeline.samples)
    }
    for span in timeline.phases {
      let rows = offset + span.rows.lowerBound..<offset + span.rows.upperBound
      if let last = phases.last, last.phase == span.phase, last.rows.upperBound == rows.lowerBound {
        phases[phases.count - 1].rows = last.rows.lowerBound..<rows.upperBound
      } else {
        phases.append(PhaseSpan(rows: rows, phase: span.phase))
      }
    }
    health += timeline.health
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

extension MotionBatch {
  /// Size of the samples in memory, in bytes.
  package var decodedByteCount: Int { 8 * count * channels.count }
}
