import Motion

/// Tells what the movement of a counted set was like.
public enum SetAnalyzer {
  /// Seconds around the set that are looked at, so that filters settle and the last phase is seen.
  private static let margin = 1.5

  /// Analyses a set. O(samples); nothing is kept between calls.
  ///
  /// - Parameters:
  ///   - set: as the detector returned it, times in seconds on the samples' clock.
  ///   - samples: in any units, in order of time; the set and a second or two around it at least.
  public static func analyze(
    _ set: CountedSet, samples: MotionBatch,
    configuration: AnalysisConfiguration = AnalysisConfiguration()
  ) -> SetAnalysis {
    var result = SetAnalysis(
      curve: nil, phaseOrder: configuration.phaseOrder,
      reps: set.reps.enumerated().map { RepAnalysis(number: $0 + 1, duration: $1.duration) })
    guard let first = set.reps.first, let last = set.reps.last, first.start <= last.end,
      let motion = AlignedMotion(
        samples.inStandardUnits(), span: (first.start - margin)...(last.end + margin),
        longestBridgedGap: configuration.longestBridgedGap)
    else { return result }
    addRotationRates(motion, set.reps, to: &result.reps)
    guard let track = MovementTrack(motion, reps: set.reps) else {
      addSummary(to: &result)
      return result
    }
    for (index, similarity) in RepSimilarity.leaveOneOut(motion, reps: track.reps).enumerated() {
      result.reps[index].similarity = similarity
    }
    addPhases(track, motion, configuration, to: &result.reps)
    result.curve = MovementCurve(track, motion, set: set, configuration: configuration)
    addSummary(to: &result)
    return result
  }

  private static func addRotationRates(
    _ motion: AlignedMotion, _ spans: [CountedRep], to reps: inout [RepAnalysis]
  ) {
    guard let rates = motion.rotationRate else { return }
    let smooth = ZeroPhaseFilter.lowPass(rates, cornerHz: 10, rateHz: AlignedMotion.rateHz)
    for index in reps.indices {
      let low = motion.index(at: spans[index].start)
      let rows = low...max(low, motion.index(at: spans[index].end))
      guard !motion.isGap[rows].contains(true) else { continue }
      let speeds = smooth[rows].map { $0.length * Math.degreesPerRadian }
      reps[index].peakRotationRate = speeds.max()
      reps[index].meanRotationRate = speeds.reduce(0, +) / Double(speeds.count)
    }
  }

  private static func addPhases(
    _ track: MovementTrack, _ motion: AlignedMotion, _ configuration: AnalysisConfiguration,
    to reps: inout [RepAnalysis]
  ) {
    let isConcentricFirst = configuration.phaseOrder == .concentricFirst
    let phases = MovementPhases.all(track, in: motion)
    for index in phases.indices.dropLast() {
      guard let end = phases[index]?.back.upperBound,
        let next = phases[index + 1]?.out.lowerBound
      else { continue }
      reps[index].pauseAfter = max(0, next - end)
    }
    for (index, phase) in phases.enumerated() {
      guard let phase else { continue }
      let outTime = phase.out.upperBound - phase.out.lowerBound
      let backTime = phase.back.upperBound - phase.back.lowerBound
      let outWay = phase.farPosition - phase.startPosition
      let backWay = phase.farPosition - phase.endPosition
      reps[index].concentricTime = isConcentricFirst ? outTime : backTime
      reps[index].eccentricTime = isConcentricFirst ? backTime : outTime
      reps[index].farPause = phase.back.lowerBound - phase.out.upperBound
      let unit = track.isAngle ? Math.degreesPerRadian : 1
      let range = max(outWay, backWay) * unit
      // Between here and the summary, the range in the track's own unit.
      reps[index].relativeRange = range
      if track.isAngle { reps[index].rangeOfMotion = range }
      let time = phase.comparableSeconds(track, motion, isOut: isConcentricFirst)
      let way = (isConcentricFirst ? outWay : backWay) * unit
      reps[index].meanConcentricSpeed = time > 0 ? way / time : nil
    }
    let largest = reps.compactMap(\.relativeRange).max() ?? 0
    for index in reps.indices {
      reps[index].relativeRange = largest > 0 ? reps[index].relativeRange.map { $0 / largest } : nil
    }
  }

  private static func addSummary(to result: inout SetAnalysis) {
    let reps = result.reps
    let similarities = reps.compactMap(\.similarity)
    if similarities.count > 2 { result.consistency = mean(similarities) }
    let ranges = reps.compactMap(\.relativeRange)
    if ranges.count > 1 { result.range = mean(ranges) }
    if let concentric = variation(reps.compactMap(\.concentricTime)),
      let eccentric = variation(reps.compactMap(\.eccentricTime))
    {
      result.tempoControl = max(0, 1 - (concentric + eccentric) / 2)
    }
    let speeds = reps.compactMap(\.meanConcentricSpeed)
    guard speeds.count > 1, let best = speeds.max(), best > 0 else { return }
    result.intensity = mean(speeds) / best
    // The loss is only told where the last rep itself could be measured.
    guard speeds.count > 2, let last = reps.last, let lastSpeed = last.meanConcentricSpeed else {
      return
    }
    result.fatigue = SetAnalysis.Fatigue(
      velocityLoss: max(0, (best - lastSpeed) / best * 100),
      rangeLoss: last.relativeRange.map { (1 - $0) * 100 })
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  /// Standard deviation by mean; nil for fewer than three values.
  private static func variation(_ values: [Double]) -> Double? {
    guard values.count > 2 else { return nil }
    let mean = mean(values)
    guard mean > 0 else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot() / mean
  }
}
