/// The settled reading of a stretch that holds one set: steps 4 to 8 together.
struct Settlement {
  /// The chosen reading; nil where nothing repeats.
  var best: Segmentation?
  /// How many readings were compared.
  var readings = 0

  /// - Parameter frames: the stretch, with about half a period around the set.
  init(_ frames: [MotionFrame], configuration: DetectorConfiguration) {
    guard frames.count > 8 else { return }
    var search = CandidateSearch(frames, configuration: configuration)
    let seconds = Double(frames.count) / FrontEnd.frameRateHz
    let guesses = search.candidates(
      longestPeriod: seconds, count: configuration.candidatesWhenSettling)

    var refined: [Segmentation] = []
    for guess in guesses {
      let fitter = TemplateFitter(
        grid: search.grid(framesPerStep: guess.framesPerStep), configuration: configuration)
      if let result = fitter.refine(guess.segments, passes: 2) { refined.append(result) }
    }
    refined.sort { $0.score > $1.score }

    var readings: [Segmentation] = []
    for hypothesis in refined.prefix(configuration.hypothesesSwept) {
      let fitter = TemplateFitter(
        grid: search.grid(framesPerStep: hypothesis.framesPerStep), configuration: configuration)
      for j in 0..<configuration.sweepPhases {
        let shift = Double(j) / Double(configuration.sweepPhases)
        let shifted = hypothesis.segments.map {
          Segment(start: $0.start + shift * $0.length, end: $0.end + shift * $0.length)
        }
        if let result = fitter.refine(shifted, passes: 2) { readings.append(result) }
      }
    }
    self.readings = readings.count
    best = Self.choose(among: readings, frames: frames, configuration: configuration)
  }

  /// The decision rule (step 8): of the readings that fit about as well as the best, those whose
  /// reps begin and end where the wrist pauses, and of these the one with most reps.
  static func choose(
    among readings: [Segmentation], frames: [MotionFrame], configuration: DetectorConfiguration
  ) -> Segmentation? {
    let speeds = frames.map { $0.squaredAngularSpeed.squareRoot() }
    let trimmed = readings.map { trimEdges(of: $0, configuration: configuration) }
    guard let best = trimmed.max(by: { $0.score < $1.score }), best.score > 0 else { return nil }
    let alike = trimmed.filter {
      $0.score >= Float(configuration.scoreTolerance) * best.score
        && $0.period >= 0.8 * best.period && $0.period <= 1.25 * best.period
    }
    let motions = alike.map { boundaryMotion(of: $0, speeds: speeds) }
    let stillest = motions.min() ?? 0
    var chosen: Segmentation?
    for (reading, motion) in zip(alike, motions)
    where motion <= stillest + Float(configuration.boundaryMotionTolerance) {
      guard let old = chosen else {
        chosen = reading
        continue
      }
      if (reading.segments.count, reading.score) > (old.segments.count, old.score) {
        chosen = reading
      }
    }
    return chosen
  }

  /// Drops first and last segments that are much less alike than the typical one: set-up pulls
  /// and re-racking resemble a rep, but not as much as reps resemble each other.
  static func trimEdges(
    of reading: Segmentation, configuration: DetectorConfiguration
  ) -> Segmentation {
    let limit = Float(configuration.edgeSimilarity) * median(reading.similarities)
    var range = 0..<reading.segments.count
    while let first = range.first, reading.similarities[first] < limit {
      range = (first + 1)..<range.upperBound
    }
    while let last = range.last, reading.similarities[last] < limit {
      range = range.lowerBound..<last
    }
    return reading.keeping(range)
  }

  /// How much the wrist moves at the boundaries between reps, as a share of its mean motion.
  static func boundaryMotion(of reading: Segmentation, speeds: [Float]) -> Float {
    guard let first = reading.segments.first, let last = reading.segments.last else { return 1 }
    let rate = FrontEnd.frameRateHz
    func mean(_ from: Double, _ to: Double) -> Float {
      let a = Math.integer((from * rate).rounded(), clampedTo: 0...speeds.count)
      let b = Math.integer((to * rate).rounded(), clampedTo: 0...(speeds.count - 1))
      guard b >= a else { return 0 }
      return speeds[a...b].reduce(0, +) / Float(b - a + 1)
    }
    let overall = mean(reading.seconds(first.start), reading.seconds(last.end))
    guard overall > 0 else { return 0 }
    let half = 0.06 * reading.period
    let boundaries = reading.segments.flatMap { [$0.start, $0.end] }.map(reading.seconds)
    return median(boundaries.map { mean($0 - half, $0 + half) }) / overall
  }
}
