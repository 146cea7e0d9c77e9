import Motion
import MovementAnalysis
import RecordingInput
import RecordingPipeline
import RepDetection
import TextFormats
import TimelineFormat

extension RecordingFigure {
  /// Creates the picture of a recording and its sets.
  ///
  /// - Parameter reviews: Whether to show movements that were not counted, with the reasons.
  package init(_ processed: ProcessedRecording, reviews: Bool = true) {
    var samples = MotionBatch()
    var phases: [PhaseSpan] = []
    var health: [HealthReading] = []
    for part in processed.parts {
      let offset = samples.count
      phases += part.recording.phases.map {
        PhaseSpan(
          rows: ($0.rows.lowerBound + offset)..<($0.rows.upperBound + offset), phase: $0.phase)
      }
      samples.append(part.recording.samples.inStandardUnits())
      health += part.recording.health
    }
    let sets = processed.parts.flatMap(\.sets)
    let reps = sets.reduce(0) { $0 + $1.reps.count }
    let title = FigureTitle(processed)
    let counts = "\(counted(sets.count, "set")), \(counted(reps, "rep"))"
    self.init(
      title: title.headline,
      subtitle: [counts, title.subline].filter { !$0.isEmpty }.joined(separator: " · "),
      samples: samples, sets: sets, phases: phases, health: health,
      unixTimeOfFirstSample: processed.parts.first?.recording.unixTimeOfFirstSample,
      rejections: reviews ? processed.rejections() : [])
    source = "\(title.source), \(samples.count) samples"
  }

  /// Creates the picture of one set, for a page of many: movement, rotation rate and acceleration.
  ///
  /// - Parameter samples: Samples of the set and around it, in standard units and chronological order.
  package init(_ title: FigureTitle, set: CountedSet, analysis: SetAnalysis, samples: MotionBatch) {
    let times = samples.times
    let low = times.firstIndex { $0 >= set.start - 3 } ?? times.count
    let high = times.lastIndex { $0 <= set.end + 3 } ?? -1
    let near = low <= high ? samples[low..<(high + 1)] : MotionBatch()
    let nearTimes = near.times.map { $0 - set.start }
    let end = set.end - set.start
    self.init(
      title: title.headline, subtitle: title.subline,
      span: ((nearTimes.first ?? 0)...max(nearTimes.last ?? 0, end, 0.001)).clampedToFigure,
      sets: [
        Set(
          number: title.setNumber ?? 1, start: 0, end: end, reps: set.relative(to: set.start).reps,
          confidence: set.confidence)
      ],
      gaps: Self.gaps(nearTimes))
    origin = "the set began"
    if let curve = analysis.curve {
      panels.append(
        .movement(times: curve.points.map(\.time), values: curve.points.map(\.movement)))
    }
    if let speed = SmoothedSpeed.radiansPerSecond(of: near) {
      panels.append(.turning(times: nearTimes, values: speed))
    }
    for quantity in [MotionQuantity.userAcceleration, .totalAcceleration]
    where near.has(quantity) && panels.last?.measure != "g" {
      let axes = quantity.channels.map { near[$0] }
      let lengths = nearTimes.indices.map { row in
        (axes[0][row] * axes[0][row] + axes[1][row] * axes[1][row] + axes[2][row] * axes[2][row])
          .squareRoot()
      }
      panels.append(
        Panel(
          title: "How hard the wrist is accelerated", unit: "g", times: nearTimes,
          series: [Series(name: "", values: lengths)]))
    }
  }

  /// Creates the picture of a stored set.
  ///
  /// - Parameter note: Additional text for the subtitle.
  package init(_ timeline: Timeline, title: FigureTitle, note: String) {
    self.init(
      title: title.headline,
      subtitle: [note, title.subline].filter { !$0.isEmpty }.joined(separator: " · "),
      samples: timeline.samples.inStandardUnits(),
      sets: timeline.set.map { [$0] } ?? [], phases: timeline.phases, health: timeline.health,
      unixTimeOfFirstSample: timeline.unixTimeOfFirstSample,
      rejections: ProcessedRecording.rejections(
        in: timeline.samples, phases: timeline.phases, sets: timeline.set.map { [$0] }))
    source = title.source
  }

  /// - Parameters:
  ///   - samples: Samples in standard units and chronological order.
  ///   - rejections: The detector's rejections for these samples.
  package init(
    title: String, subtitle: String, samples: MotionBatch, sets: [CountedSet],
    phases: [PhaseSpan] = [], health: [HealthReading] = [], unixTimeOfFirstSample: Double? = nil,
    rejections: [CandidateRejection] = []
  ) {
    let times = samples.times
    let origin = times.first ?? 0
    let last = times.last ?? 0
    self.init(
      title: title, subtitle: subtitle,
      span: (0...max(last - origin, 0.001)).clampedToFigure)
    self.sets = sets.enumerated().map { index, set in
      let set = set.relative(to: origin)
      return Set(
        number: index + 1, start: set.start, end: set.end, reps: set.reps,
        confidence: set.confidence)
    }
    notCounted = rejections.filter { $0.reason.name != "quiet" }.map {
      Candidate(
        start: $0.start - origin, end: $0.end - origin, isPartial: $0.subject == .partial,
        reason: $0.description)
    }
    self.phases = phases.compactMap { phase in
      guard times.indices.contains(phase.rows.lowerBound), phase.rows.upperBound <= times.count,
        !phase.rows.isEmpty
      else { return nil }
      return Span(
        start: times[phase.rows.lowerBound] - origin,
        end: times[phase.rows.upperBound - 1] - origin, name: phase.phase.rawValue)
    }
    gaps = Self.gaps(times).map { ($0.lowerBound - origin)...($0.upperBound - origin) }
    panels = Self.panels(samples, sets: sets, origin: origin)
    let beats = health.compactMap { reading -> (Double, Double)? in
      guard let rate = reading.heartRateBPM, let start = unixTimeOfFirstSample else { return nil }
      return (reading.unixTime - start, rate)
    }.filter { span.contains($0.0) }.sorted { $0.0 < $1.0 }
    if !beats.isEmpty {
      panels.append(
        Panel(
          title: "Heart rate", unit: "beats/min", times: beats.map(\.0),
          series: [Series(name: "", values: beats.map(\.1))]))
    }
  }

  /// Returns the gaps at which lines break.
  private static func gaps(_ times: [Double]) -> [ClosedRange<Double>] {
    let longest = Panel.longestInterval(times)
    return zip(times, times.dropFirst()).compactMap { $1 - $0 > longest ? $0...$1 : nil }
  }

  private static func panels(
    _ samples: MotionBatch, sets: [CountedSet], origin: Double
  ) -> [Panel] {
    let times = samples.times.map { $0 - origin }
    var panels: [Panel] = []
    var movementTimes: [Double] = []
    var movement: [Double] = []
    for set in sets {
      guard let curve = SetAnalyzer.movementCurve(of: set, samples: samples) else { continue }
      for point in curve.points {
        movementTimes.append(set.start - origin + point.time)
        movement.append(point.movement)
      }
      if let last = movementTimes.last {
        movementTimes.append(last + 0.001)
        movement.append(.nan)
      }
    }
    if !movement.isEmpty { panels.append(.movement(times: movementTimes, values: movement)) }
    let axes = ["x", "y", "z"]
    func raw(_ quantity: MotionQuantity, _ title: String, _ unit: String) {
      guard samples.has(quantity) else { return }
      panels.append(
        Panel(
          title: title, unit: unit, times: times,
          series: zip(quantity.channels, axes).map { Series(name: $1, values: samples[$0]) }))
    }
    if let smooth = SmoothedSpeed.radiansPerSecond(of: samples) {
      panels.append(.turning(times: times, values: smooth))
    }
    raw(.rotationRate, "Turning about each axis of the watch", "rad/s")
    raw(.userAcceleration, "Acceleration without gravity", "g")
    raw(.totalAcceleration, "Acceleration with gravity", "g")
    raw(.gravity, "Which way is down", "g")
    return panels
  }
}

extension RecordingFigure.Panel {
  /// Returns a panel with a movement curve, from −1 to +1.
  static func movement(times: [Double], values: [Double]) -> Self {
    Self(
      title: "Movement", unit: "−1: end of lowering, +1: end of lifting", measure: "", times: times,
      series: [.init(name: "", values: values)], domain: -1.1...1.1)
  }

  /// Returns a panel with the magnitude of the wrist's rotation rate.
  static func turning(times: [Double], values: [Double]) -> Self {
    Self(
      title: "How fast the wrist turns", unit: "°/s", times: times,
      series: [.init(name: "", values: values.map { $0 * 180 / .pi })])
  }
}

extension FigureTitle {
  /// Creates the title of a whole recording, with its exercise if there is only one.
  package init(_ processed: ProcessedRecording) {
    let recordings = processed.labeled
    let exercises = Swift.Set(recordings.map(\.identity.exerciseId))
    self.init(
      exercise: exercises.count == 1 ? exercises.first ?? nil : nil, recording: processed.name,
      unixTime: recordings.first?.unixTimeOfFirstSample, weight: processed.label.weight,
      user: processed.label.user, source: processed.name)
  }

  /// Returns the titles of a recording's sets, in order. A single set gets the label's set number.
  package static func ofSets(_ processed: ProcessedRecording) -> [FigureTitle] {
    let label = processed.label
    let isOne = processed.parts.reduce(0) { $0 + $1.sets.count } == 1
    var titles: [FigureTitle] = []
    for (part, recording) in zip(processed.parts, processed.labeled) {
      let first = recording.samples.firstSeconds ?? 0
      for set in part.sets {
        titles.append(
          FigureTitle(
            exercise: recording.identity.exerciseId, recording: processed.name,
            setNumber: (isOne ? label.set : nil) ?? titles.count + 1,
            unixTime: recording.unixTimeOfFirstSample.map { $0 + set.start - first },
            weight: label.weight, user: label.user, source: processed.name))
      }
    }
    return titles
  }
}

extension ClosedRange<Double> {
  /// The range clamped to times that an axis can label.
  fileprivate var clampedToFigure: ClosedRange<Double> {
    guard lowerBound.isFinite, upperBound.isFinite else { return 0...1 }
    return clamped(to: -1e8...1e8)
  }
}

/// Magnitude of the rotation rate, smoothed enough to show rests.
enum SmoothedSpeed {
  /// Returns the mean over 0.25 s around each sample; nil without a gyroscope.
  static func radiansPerSecond(of samples: MotionBatch) -> [Double]? {
    guard samples.has(.rotationRate) else { return nil }
    let times = samples.times
    let x = samples[.rotationRateX]
    let y = samples[.rotationRateY]
    let z = samples[.rotationRateZ]
    var result = [Double](repeating: .nan, count: times.count)
    var low = 0
    var high = 0
    var sum = 0.0
    var count = 0
    func speed(_ row: Int) -> Double {
      (x[row] * x[row] + y[row] * y[row] + z[row] * z[row]).squareRoot()
    }
    for row in times.indices {
      while high < times.count, times[high] <= times[row] + 0.125 {
        let value = speed(high)
        if value.isFinite {
          sum += value
          count += 1
        }
        high += 1
      }
      while low < row, times[low] < times[row] - 0.125 {
        let value = speed(low)
        if value.isFinite {
          sum -= value
          count -= 1
        }
        low += 1
      }
      if count > 0 { result[row] = max(sum / Double(count), 0) }
    }
    return result
  }
}
