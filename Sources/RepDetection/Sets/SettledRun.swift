import Motion

/// A row of reps of a settled reading without a long pause in it.
struct SettledRun: Sendable {
  struct Rep: Sendable {
    var start: Double
    var end: Double
    var similarity: Float

    var counted: CountedRep {
      CountedRep(start: start, end: end, confidence: Double(min(max(similarity, 0), 1)))
    }
  }

  var reps: [Rep]
  /// Seconds.
  var period: Double

  var meanSimilarity: Float {
    reps.isEmpty ? 0 : reps.reduce(0) { $0 + $1.similarity } / Float(reps.count)
  }

  /// Splits a reading at long pauses, and gives its reps their exact times.
  static func split(
    _ reading: Segmentation, in stretch: TimedFrames, configuration: DetectorConfiguration
  ) -> [SettledRun] {
    let reps = RepBoundaries.reps(of: reading, in: stretch)
    let gap = max(configuration.pauseInPeriods * reading.period, configuration.pauseSeconds)
    var runs: [SettledRun] = []
    for rep in reps {
      if let last = runs.last?.reps.last, rep.start - last.end <= gap {
        runs[runs.count - 1].reps.append(rep)
      } else {
        runs.append(SettledRun(reps: [rep], period: reading.period))
      }
    }
    return runs
  }

  /// Whether a found row of reps is a set.
  func isSet(_ configuration: DetectorConfiguration) -> Bool {
    guard let first = reps.first, let last = reps.last else { return false }
    let least = max(2, configuration.hints.minimumReps ?? configuration.chainReps)
    let similarity =
      period < configuration.fastPeriodSeconds
      ? configuration.fastSetSimilarity : configuration.setSimilarity
    return reps.count >= least && last.end - first.start >= configuration.chainSeconds
      && period >= 0.3 && meanSimilarity >= Float(similarity)
  }

  func counted(cause: SetCause) -> CountedSet {
    let mean = Double(meanSimilarity)
    return CountedSet(
      cause: cause, start: reps.first?.start ?? 0, end: reps.last?.end ?? 0,
      reps: reps.map(\.counted),
      confidence: min(max(mean, 0), 1))
  }
}
