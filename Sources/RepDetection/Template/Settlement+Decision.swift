import SignalProcessing

extension Settlement {
  /// The decision rule (step 8): of the readings that fit about as well as the best, those whose
  /// reps begin and end where the wrist pauses or that leave no half rep at either end, and of these
  /// the one with most reps.
  struct Decision {
    /// The readings without what is no rep at their edges, in the same order.
    private(set) var trimmed: [Segmentation] = []
    /// Those that fit about as well as the best, and how much the wrist moves at their boundaries.
    private var alike: [(reading: Segmentation, motion: Float)] = []
    private var stillest: Float = 0
    /// Seconds of the stretch.
    private let seconds: Double

    /// Nil where nothing is alike. All that does not depend on what stillness is asked for.
    init?(
      among readings: [Segmentation], in frames: ArraySlice<MotionFrame>, speeds: [Float],
      configuration: DetectorConfiguration
    ) {
      // Phases that led to the same reading are looked at once.
      let first = readings.indices.map { i in
        readings.firstIndex {
          $0.framesPerStep == readings[i].framesPerStep && $0.segments == readings[i].segments
        } ?? i
      }
      for i in readings.indices {
        trimmed.append(
          first[i] < i
            ? trimmed[first[i]]
            : Settlement.trimEdges(
              of: readings[i], in: frames, configuration: configuration))
      }
      seconds = Double(speeds.count) / FrontEnd.frameRateHz
      guard
        let best = trimmed.max(by: { worth($0, configuration) < worth($1, configuration) }),
        best.score > 0
      else { return nil }
      let least =
        worth(best, configuration)
        * Float(
          configuration.isUnderWay
            ? configuration.liveScoreTolerance : configuration.scoreTolerance)
      var motions: [Int: Float] = [:]
      for (i, reading) in trimmed.enumerated()
      where worth(reading, configuration) >= least
        && reading.period >= 0.8 * best.period && reading.period <= 1.25 * best.period
      {
        let motion = motions[first[i]] ?? Settlement.boundaryMotion(of: reading, speeds: speeds)
        motions[first[i]] = motion
        alike.append((reading, motion))
      }
      stillest = alike.map(\.motion).min() ?? 0
    }

    func chosen(configuration: DetectorConfiguration) -> Segmentation? {
      if configuration.isUnderWay { return chosenUnderWay(configuration) }
      var chosen: Segmentation?
      for (reading, motion) in alike
      where motion <= stillest + Float(configuration.boundaryMotionTolerance)
        || Settlement.isWhole(reading, configuration)
      {
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

    /// What is behind the last rep of a reading, in reps: at most one, which has not ended.
    private func unfinished(_ reading: Segmentation) -> Double {
      let last = reading.segments.last.map { reading.seconds($0.end) } ?? 0
      return min(max((seconds - last) / max(reading.period, 0.1), 0), 1)
    }

    /// The score. In a set under way the rep that has not ended counts as if it fitted like the
    /// others: readings of all phases are to be compared, and some of them end sooner.
    private func worth(
      _ reading: Segmentation, _ configuration: DetectorConfiguration
    ) -> Float {
      guard configuration.isUnderWay, !reading.segments.isEmpty else { return reading.score }
      let reps =
        reading.segments.reduce(0) { $0 + $1.length } * Double(reading.framesPerStep)
        / FrontEnd.frameRateHz / max(reading.period, 0.1)
      return reading.score * Float(1 + unfinished(reading) / max(reps, 0.1))
    }

    /// In a set under way nothing follows yet that would tell the far end of the movement from its
    /// starting posture by half a rep left over. What has begun is counted instead, half a rep less
    /// where the first rep differs from the others (it may be the way to the starting posture), and
    /// weighed against how much the wrist moves at the boundaries.
    private func chosenUnderWay(_ configuration: DetectorConfiguration) -> Segmentation? {
      func rank(_ reading: Segmentation, _ motion: Float) -> Double {
        let first = reading.similarities.first ?? 0
        let usual = median(reading.similarities)
        let isDoubtful = first < Float(configuration.liveWholeFirstSimilarity) * usual
        return Double(reading.segments.count) + unfinished(reading) - (isDoubtful ? 0.5 : 0)
          - configuration.liveStillnessWeight * Double(motion)
      }
      return
        alike
        .filter { $0.motion <= stillest + Float(configuration.boundaryMotionTolerance) }
        .max { rank($0.reading, $0.motion) < rank($1.reading, $1.motion) }?.reading
    }
  }

  private static func isWhole(
    _ reading: Segmentation, _ configuration: DetectorConfiguration
  ) -> Bool {
    guard
      let first = reading.similarities.first, let last = reading.similarities.last,
      reading.segments.count > 3
    else { return false }
    return min(first, last)
      >= Float(configuration.wholeEdgeSimilarity) * median(reading.similarities)
  }
}
