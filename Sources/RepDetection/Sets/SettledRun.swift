import Motion

/// A row of reps of a settled reading without a long pause in it.
struct SettledRun: Sendable {
  struct Rep: Sendable, Hashable {
    var start: Double
    var end: Double
    var similarity: Float
    /// How strongly the wrist moves in it (``FrameEnergies``).
    var energy: Float

    /// As a rep of a set whose other reps are not known to differ from it.
    var counted: CountedRep {
      let evidence = RepEvidence(
        similarity: Double(similarity), relativeSimilarity: 1, relativeEnergy: 1,
        relativeDuration: 1, isEdge: false)
      return counted(confidence: RepConfidence.probability(evidence))
    }

    func counted(confidence: Double) -> CountedRep {
      CountedRep(start: start, end: end, confidence: confidence)
    }
  }

  var reps: [Rep]
  /// Movements at its ends that fall short of a rep.
  var partials: [Rep] = []
  /// Seconds.
  var period: Double
  var rows = 1
  var reading: ReadingEvidence
  var rotationMeasured: Double

  var meanSimilarity: Float {
    reps.isEmpty ? 0 : reps.reduce(0) { $0 + $1.similarity } / Float(reps.count)
  }

  /// Splits what was settled at long pauses, and gives its reps their exact times.
  static func split(
    _ settlement: Settlement, in stretch: TimedFrames, configuration: DetectorConfiguration
  ) -> [SettledRun] {
    guard let reading = settlement.best else { return [] }
    let gap = max(configuration.pauseInPeriods * reading.period, configuration.pauseSeconds)
    var runs: [SettledRun] = []
    for rep in RepBoundaries.reps(of: reading, in: stretch) {
      if let last = runs.last?.reps.last, rep.start - last.end <= gap {
        runs[runs.count - 1].reps.append(rep)
      } else {
        runs.append(SettledRun(reps: [rep], settlement: settlement, stretch: stretch))
      }
    }
    let partials = RepBoundaries.reps(of: reading.onlyPartials, in: stretch)
    for i in runs.indices {
      guard let first = runs[i].reps.first, let last = runs[i].reps.last else { continue }
      runs[i].partials = partials.filter {
        $0.end >= first.start - gap && $0.start <= last.end + gap
      }
    }
    return runs
  }

  /// All that was settled as one set, pauses or not. Of several rows of reps those that are less
  /// alike than a found set must be, and are not the longest, are other movements.
  static func whole(
    _ settlement: Settlement, in stretch: TimedFrames, configuration: DetectorConfiguration
  ) -> SettledRun? {
    let runs = split(settlement, in: stretch, configuration: configuration)
    guard let longest = runs.map(\.reps.count).max() else { return nil }
    let kept = runs.filter {
      $0.reps.count == longest
        || $0.reps.count >= configuration.declaredRowReps && $0.isAlike(configuration)
    }
    guard var result = kept.first else { return nil }
    for run in kept.dropFirst() {
      result.reps += run.reps
      result.partials += run.partials.filter { !result.partials.contains($0) }
    }
    result.rows = runs.count
    return result
  }

  private init(reps: [Rep], settlement: Settlement, stretch: TimedFrames) {
    self.reps = reps
    period = settlement.best?.period ?? 0
    reading = settlement.evidence
    rotationMeasured = stretch.rotationMeasured
  }

  /// Whether a found row of reps is a set.
  func isSet(_ configuration: DetectorConfiguration) -> Bool {
    guard let first = reps.first, let last = reps.last else { return false }
    let least = max(2, configuration.hints.minimumReps ?? configuration.chainReps)
    return reps.count >= least && last.end - first.start >= configuration.chainSeconds
      && period >= 0.3 && isAlike(configuration)
  }

  private func isAlike(_ configuration: DetectorConfiguration) -> Bool {
    let similarity =
      period < configuration.fastPeriodSeconds
      ? configuration.fastSetSimilarity : configuration.setSimilarity
    return meanSimilarity >= Float(similarity)
  }

  func counted(cause: SetCause) -> CountedSet {
    let evidence = evidence
    var set = CountedSet(
      cause: cause, start: reps.first?.start ?? 0, end: reps.last?.end ?? 0,
      reps: zip(reps, evidence.reps).map {
        $0.counted(confidence: RepConfidence.probability($1))
      },
      partialReps: partials.map(\.counted),
      confidence: SetConfidence.probabilityOfExactCount(evidence, reps: reps.count))
    set.evidence = evidence
    return set
  }
}
