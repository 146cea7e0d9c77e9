import Motion

extension MovementCurve {
  /// Creates the curve from the set's start to its end, scaled so that −1 and +1 are the ends that reps
  /// typically reach. Shorter reps do not reach ±1.
  init?(
    _ track: MovementTrack, _ motion: AlignedMotion, set: CountedSet,
    configuration: AnalysisConfiguration
  ) {
    guard let low = Self.usual(track.reps.map { track.position[$0].min() ?? 0 }, highest: false),
      let high = Self.usual(track.reps.map { track.position[$0].max() ?? 0 }, highest: true),
      high > low, set.end > set.start, configuration.curveRateHz > 0,
      configuration.curveRateHz <= 1000
    else { return nil }
    let sign = configuration.phaseOrder == .concentricFirst ? 1.0 : -1.0
    // A damaged set may begin or end years away from its samples.
    let seconds = min(set.end - set.start, AlignedMotion.longestSpan)
    let count = Int((seconds * configuration.curveRateHz).rounded(.up))
    var points: [Point] = []
    points.reserveCapacity(count + 1)
    let limit = Double(track.position.count - 1)
    for index in 0...count {
      let time = Double(index) / configuration.curveRateHz
      let place = min(max((set.start + time - motion.start) * AlignedMotion.rateHz, 0), limit)
      let below = Int(place)
      let above = min(below + 1, track.position.count - 1)
      if motion.isGap[below] && motion.isGap[above] { continue }
      let value =
        track.position[below]
        + (track.position[above] - track.position[below]) * (place - Double(below))
      let movement = min(max((value - low) / (high - low) * 2 - 1, -1), 1) * sign
      points.append(Point(time: time, movement: movement))
    }
    guard !points.isEmpty else { return nil }
    var next = 0
    for (index, rep) in set.reps.enumerated() {
      let end = rep.end - set.start
      while next < points.count - 1, points[next].time < end - 1e-9 { next += 1 }
      points[next].completedRep = index + 1
    }
    self.init(source: track.source, rateHz: configuration.curveRateHz, points: points)
  }

  /// Returns the 90th percentile of the values towards the given end; the extreme if there are few.
  private static func usual(_ values: [Double], highest: Bool) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = highest ? values.sorted() : values.sorted(by: >)
    return sorted[min(sorted.count - 1, sorted.count * 9 / 10)]
  }
}
