/// A row of similar movements in the recent signal: a set in the making (step 9).
struct MovementChain: Sendable {
  /// Seconds on the samples' clock.
  var start: Double
  var end: Double
  /// Seconds.
  var period: Double
  /// Sum of squared similarity times duration.
  var weight: Float
  /// Movements.
  var count: Int

  /// The rows in the last seconds of `buffer`.
  ///
  /// Fast movements are looked for in a short window and slow ones in a long one, so that about
  /// the same number of reps is in each.
  ///
  /// - Parameters:
  ///   - previousEnd: signal before this time belongs to another set.
  static func recent(
    in buffer: TimedFrames, after previousEnd: Double,
    configuration: DetectorConfiguration
  ) -> [MovementChain] {
    guard let now = buffer.times.last else { return [] }
    var found: [MovementChain] = []
    for window in configuration.windows {
      guard
        let rows = buffer.rows(from: max(now - window.seconds, previousEnd), to: now),
        Double(rows.count) >= configuration.chainSeconds * FrontEnd.frameRateHz
      else { continue }
      let frames = buffer.frames[rows]
      guard MovementActivity.of(frames, configuration) >= configuration.restActivity else {
        continue
      }
      let periods = configuration.hints.periods(within: window.periods)
      var search = CandidateSearch(
        frames, resolution: configuration.windowResolution, configuration: configuration)
      let guesses = search.candidates(
        periods: periods, count: configuration.candidatesInWindow)
      for guess in guesses {
        // Where no three movements are alike at all, or two very much, a search finds no row either.
        let best = guess.similarities.sorted(by: >).prefix(3)
        guard
          best.count == 3 && best.reduce(0, +) >= 3 * configuration.guessSimilarity
            || best.count >= 2 && guess.period >= configuration.pairPeriodSeconds
              && best[1] >= configuration.pairChainSimilarity
        else { continue }
        var fitter = search.fitter(framesPerStep: guess.framesPerStep)
        fitter.rewardOffset = configuration.windowRewardOffset
        guard let reading = fitter.refine(guess.segments, passes: 1) else { continue }
        found += chains(
          in: reading, frames: frames, origin: buffer.times[rows.lowerBound],
          configuration: configuration)
      }
    }
    return found
  }

  private static func chains(
    in reading: Segmentation, frames: ArraySlice<MotionFrame>, origin: Double,
    configuration: DetectorConfiguration
  ) -> [MovementChain] {
    let good = reading.keeping(
      reading.segments.indices.filter {
        reading.similarities[$0] >= Float(configuration.chainSimilarity)
      })
    return good.runs(configuration: configuration).compactMap { range in
      guard range.count >= min(2, configuration.chainReps) else { return nil }
      let run = good.keeping(range)
      guard let first = run.segments.first, let last = run.segments.last else { return nil }
      let start = run.seconds(first.start)
      let end = run.seconds(last.end)
      guard
        end - start >= configuration.chainSeconds,
        range.count >= configuration.chainReps
          ? run.meanSimilarity >= Float(configuration.chainMeanSimilarity)
          : run.period >= configuration.pairPeriodSeconds
            && run.meanSimilarity >= configuration.pairChainSimilarity
      else { return nil }
      let activities = run.segments.map { segment in
        let a = index(run.seconds(segment.start), in: frames)
        let b = index(run.seconds(segment.end), in: frames)
        return MovementActivity.of(frames[a..<max(a, b)], configuration)
      }
      guard
        median(activities) >= configuration.chainActivity,
        !Gait.isWalking(
          frames[index(start, in: frames)..<max(index(start, in: frames), index(end, in: frames))],
          period: run.period, configuration: configuration)
      else { return nil }
      return MovementChain(
        start: origin + start, end: origin + end, period: run.period, weight: run.score,
        count: range.count)
    }
  }

  private static func index(_ seconds: Double, in frames: ArraySlice<MotionFrame>) -> Int {
    frames.startIndex
      + Math.integer(seconds * FrontEnd.frameRateHz, clampedTo: 0...frames.count)
  }
}
