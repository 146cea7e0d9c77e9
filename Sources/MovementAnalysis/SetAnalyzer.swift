@_exported import Motion
import SignalProcessing

/// Analyzes the movement of a counted set.
public enum SetAnalyzer {
  /// Margin around the set that is analyzed, in seconds: filters settle, and the last phase is included.
  private static let margin = 1.5

  /// Analyzes a set. O(samples); keeps no state between calls.
  ///
  /// - Parameters:
  ///   - set: The detector's result, with times in seconds on the samples' clock.
  ///   - samples: Samples of the set and of at least a second or two around it, in any units and in order of
  ///     time.
  public static func analyze(
    _ set: CountedSet, samples: MotionBatch,
    configuration: AnalysisConfiguration = AnalysisConfiguration()
  ) -> SetAnalysis {
    var result = SetAnalysis(
      curve: nil, phaseOrder: configuration.phaseOrder,
      reps: set.reps.enumerated().map { RepAnalysis(number: $0 + 1, duration: $1.duration) })
    for (index, next) in set.reps.dropFirst().enumerated() {
      result.reps[index].restAfter = max(0, next.start - set.reps[index].end)
    }
    guard let motion = motion(of: set, samples, configuration),
      let track = MovementTrack(motion, reps: set.reps)
    else {
      addSummary(to: &result, whole: set.reps.map { _ in true })
      return result
    }
    addRotation(track, motion, to: &result.reps)
    for (index, similarity) in RepSimilarity(motion).leaveOneOut(track.reps).enumerated() {
      result.reps[index].similarity = similarity
    }
    let velocityLoss =
      configuration.measuresPhases
      ? addPhases(track, motion, configuration, to: &result.reps) : nil
    result.curve = MovementCurve(track, motion, set: set, configuration: configuration)
    addSummary(to: &result, whole: track.reps.map(motion.isWhole), velocityLoss: velocityLoss)
    return result
  }

  /// Returns only the movement curve, at a fraction of the cost; nil as in ``analyze(_:samples:configuration:)``.
  public static func movementCurve(
    of set: CountedSet, samples: MotionBatch,
    configuration: AnalysisConfiguration = AnalysisConfiguration()
  ) -> MovementCurve? {
    guard let motion = motion(of: set, samples, configuration),
      let track = MovementTrack(motion, reps: set.reps)
    else { return nil }
    return MovementCurve(track, motion, set: set, configuration: configuration)
  }

  private static func motion(
    of set: CountedSet, _ samples: MotionBatch, _ configuration: AnalysisConfiguration
  ) -> AlignedMotion? {
    guard let first = set.reps.first, let last = set.reps.last, first.start <= last.end else {
      return nil
    }
    let span = (first.start - margin)...(last.end + margin)
    return AlignedMotion(
      context(of: span, in: samples, beyond: configuration.longestBridgedGapSeconds),
      span: span,
      longestBridgedGap: configuration.longestBridgedGapSeconds)
  }

  /// Returns the samples of a span and its margin in standard units. Bisection makes the cost independent of
  /// the length of the recording.
  private static func context(
    of span: ClosedRange<Double>, in samples: MotionBatch, beyond margin: Double
  ) -> MotionBatch {
    let perSecond = samples.units.time.unitsPerSecond
    let times = samples.times
    /// Returns the first row at or after a time.
    func row(at seconds: Double) -> Int {
      var (low, high) = (0, times.count)
      while low < high {
        let middle = (low + high) / 2
        if times[middle] < seconds * perSecond { low = middle + 1 } else { high = middle }
      }
      return low
    }
    // One more sample on both sides than AlignedMotion needs, in case times are rounded.
    let first = max(row(at: span.lowerBound - margin) - 1, 0)
    let last = min(row(at: span.upperBound + margin) + 2, times.count)
    return samples[first..<max(first, last)].inStandardUnits()
  }

  /// Adds the range and speed of the wrist's rotation, about any axis.
  private static func addRotation(
    _ track: MovementTrack, _ motion: AlignedMotion, to reps: inout [RepAnalysis]
  ) {
    let smooth = motion.rotationRate.map {
      ZeroPhaseFilter.lowPass($0, cornerHz: 10, rateHz: AlignedMotion.rateHz)
    }
    for (index, rows) in track.reps.enumerated() where !motion.isGap[rows].contains(true) {
      if let smooth {
        let speeds = smooth[rows].map { $0.length * Math.degreesPerRadian }
        reps[index].peakRotationRate = speeds.max()
        reps[index].meanRotationRate = speeds.reduce(0, +) / Double(speeds.count)
      }
      if let poses = track.orientation?.poses {
        let first = poses[rows.lowerBound]
        let furthest = poses[rows].map { first.angle(to: $0) }.max() ?? 0
        reps[index].rotationRange = furthest * Math.degreesPerRadian
      }
    }
  }

  /// Adds phase times, ranges and speeds.
  ///
  /// - Returns: Loss of speed from the best rep to the last, in percent; nil if either is unknown.
  private static func addPhases(
    _ track: MovementTrack, _ motion: AlignedMotion, _ configuration: AnalysisConfiguration,
    to reps: inout [RepAnalysis]
  ) -> Double? {
    let isConcentricFirst = configuration.phaseOrder == .concentricFirst
    let phases = MovementPhases.all(track, in: motion)
    let unit = track.isAngle ? Math.degreesPerRadian : 1
    // A longer pause is a rest between two bouts.
    let longestPause = max(3, 1.5 * (median(of: reps.map { $0.duration }) ?? 0))
    // Include speeds of unreported reps: the best rep must not depend on which reps are reported.
    var speeds = [Double?](repeating: nil, count: reps.count)
    for (index, phase) in phases.enumerated() {
      guard let phase else { continue }
      let travel = phase.travel(track, motion)
      let range = max(travel.out, travel.back) * unit
      // The range is in the track's unit until all reps are known.
      reps[index].relativeRange = range
      if track.isAngle { reps[index].rangeOfMotion = range }
      guard let errors = phase.errors else { continue }
      let out = errors.out < largestError ? phase.out.upperBound - phase.out.lowerBound : nil
      let back = errors.back < largestError ? phase.back.upperBound - phase.back.lowerBound : nil
      reps[index].concentricTime = isConcentricFirst ? out : back
      reps[index].eccentricTime = isConcentricFirst ? back : out
      if errors.farPause < largestError {
        reps[index].farPause = phase.back.lowerBound - phase.out.upperBound
      }
      if index + 1 < phases.count, let next = phases[index + 1], let nextErrors = next.errors,
        max(errors.end, nextErrors.begin) < largestError
      {
        let pause = max(0, next.out.lowerBound - phase.back.upperBound)
        if pause <= longestPause { reps[index].pauseAfter = pause }
      }
      let concentric = isConcentricFirst ? phase.out : phase.back
      let time = concentric.upperBound - concentric.lowerBound
      let error = isConcentricFirst ? errors.out : errors.back
      guard time > 0 else { continue }
      speeds[index] = phase.relativeTravel / time
      if error / time < largestSpeedError { reps[index].meanConcentricSpeed = speeds[index] }
    }
    let largest = reps.compactMap { $0.relativeRange }.max() ?? 0
    // Convert speeds to the unit of the range by the median range.
    let usual = median(of: reps.compactMap { $0.relativeRange }) ?? 0
    for index in reps.indices {
      reps[index].relativeRange = largest > 0 ? reps[index].relativeRange.map { $0 / largest } : nil
      reps[index].meanConcentricSpeed = reps[index].meanConcentricSpeed.map { $0 * usual }
    }
    return velocityLoss(speeds, reps)
  }

  private static func velocityLoss(_ speeds: [Double?], _ reps: [RepAnalysis]) -> Double? {
    guard speeds.count(where: { $0 != nil }) > 2, speeds.count(where: { $0 == nil }) < 2,
      let best = speeds.compactMap({ $0 }).max(), best > 0,
      let bestRep = speeds.firstIndex(of: best), reps[bestRep].meanConcentricSpeed != nil,
      let last = reps.last, last.meanConcentricSpeed != nil, let speed = speeds.last ?? nil
    else { return nil }
    return max(0, (best - speed) / best * 100)
  }

  /// Returns the growth of a figure from the first rep that has it to the last, in percent; nil for fewer
  /// than four reps. Uses the line whose slope is the median of the slopes between all pairs of reps (Theil
  /// 1950, Sen 1968), which is robust against a single outlier.
  private static func growth(_ values: [Double?]) -> Double? {
    let all = values.enumerated().compactMap { index, value in
      value.flatMap { $0.isFinite ? (x: Double(index), y: $0) : nil }
    }
    guard all.count > 3, let first = all.first?.x, let last = all.last?.x else { return nil }
    // At most 500 points, evenly spaced. A damaged history may claim 20,000 reps, whose pairs would take
    // gigabytes.
    let known = stride(from: 0, to: all.count, by: (all.count + 499) / 500).map { all[$0] }
    var slopes: [Double] = []
    for (index, a) in known.enumerated() {
      for b in known[(index + 1)...] { slopes.append((b.y - a.y) / (b.x - a.x)) }
    }
    guard let slope = median(of: slopes),
      let begin = median(of: known.map { $0.y - slope * ($0.x - first) }), begin > 0
    else { return nil }
    return slope * (last - first) / begin * 100
  }

  /// Largest standard errors of reported figures: of a time in seconds, and of a concentric phase's time as a
  /// fraction of it. They assume white noise; real errors are up to four times as large.
  private static let largestError = 0.02
  private static let largestSpeedError = 0.02

  /// Smallest range, in degrees, at which a decrease in rotation is meaningful.
  private static let minimumRotation = 15.0

  /// - Parameter whole: Whether each rep was measured from begin to end. Only such reps count for trends.
  private static func addSummary(
    to result: inout SetAnalysis, whole: [Bool], velocityLoss: Double? = nil
  ) {
    let reps = result.reps
    let similarities = reps.compactMap { $0.similarity }
    if similarities.count > 2 { result.consistency = mean(similarities) }
    let ranges = reps.compactMap { $0.relativeRange }
    if ranges.count > 1 { result.range = mean(ranges) }
    if let concentric = variation(reps.compactMap({ $0.concentricTime })),
      let eccentric = variation(reps.compactMap { $0.eccentricTime })
    {
      result.tempoControl = max(0, 1 - (concentric + eccentric) / 2)
    }
    let speeds = reps.compactMap { $0.meanConcentricSpeed }
    if speeds.count > 1, let best = speeds.max(), best > 0 {
      result.intensity = mean(speeds) / best
    }
    let rotations = reps.map { $0.rotationRange }
    let turns = (median(of: rotations.compactMap { $0 }) ?? 0) >= minimumRotation
    func relativeGrowth(_ values: [Double?]) -> Double? {
      growth(zip(values, whole).map { $1 ? $0 : nil })
    }
    result.fatigue = SetAnalysis.Fatigue(
      slowdown: relativeGrowth(reps.map { $0.duration }).map { max(0, $0) },
      rotationLoss: turns ? relativeGrowth(rotations).map { min(max(0, -$0), 100) } : nil,
      velocityLoss: velocityLoss,
      rangeLoss: ranges.count > 2 ? reps.last?.relativeRange.map { (1 - $0) * 100 } : nil)
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  /// Returns the coefficient of variation; nil for fewer than three values.
  private static func variation(_ values: [Double]) -> Double? {
    guard values.count > 2 else { return nil }
    let mean = mean(values)
    guard mean > 0 else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot() / mean
  }
}
