import MotionFrames
import SignalProcessing
import TemplateSearch

/// A run of similar movements in the recent signal: a potential set.
struct MovementChain: Sendable, Codable {
  /// Begin and end, in seconds on the samples' clock.
  var start: Double
  var end: Double
  /// Period of the movements, in seconds.
  var period: Double
  /// Sum of squared similarity times duration.
  var weight: Float
  /// Number of movements.
  var count: Int

  /// Returns the fraction of the run that lies in a span; 0 or less if none does.
  func fraction(in span: ClosedRange<Double>) -> Double {
    (min(end, span.upperBound) - max(start, span.lowerBound)) / max(end - start, 1e-6)
  }

  /// Returns the runs in the newest signal of `buffer` that may become a set, and the rejected runs with
  /// reasons. For a window without a run, the rejection covers its newest seconds.
  ///
  /// Fast movements are searched for in a short window and slow ones in a long one, so that both contain
  /// about the same number of reps.
  ///
  /// - Parameters:
  ///   - previousEnd: Time before which the signal belongs to another set.
  static func recent(
    in buffer: FrameStore, after previousEnd: Double, configuration: DetectorConfiguration
  ) -> (chains: [MovementChain], rejections: [CandidateRejection]) {
    var chains: [MovementChain] = []
    var rejections: [CandidateRejection] = []
    guard let now = buffer.times.last else { return ([], []) }
    func noteWindow(_ reason: CandidateRejection.Reason) {
      rejections.append(
        CandidateRejection(
          subject: .window, reason: reason,
          start: max(now - configuration.hopSeconds, previousEnd), end: now, periodSeconds: 0))
    }
    for isLong in [false, true] {
      let seconds =
        isLong ? configuration.longWindowSeconds : configuration.shortWindowSeconds
      guard let rows = buffer.rows(from: max(now - seconds, previousEnd), to: now) else { continue }
      let activity = buffer.activity(in: rows, configuration.search.amplitudes)
      guard activity >= configuration.search.amplitudes.leastFraction else {
        noteWindow(
          .quiet(
            share: Double(activity), needed: Double(configuration.search.amplitudes.leastFraction)))
        continue
      }
      let origin = buffer.times[rows.lowerBound]
      let frames = buffer.frames(rows)[...]
      var search = CandidateSearch(
        frames, resolution: configuration.search.windowResolution, configuration: configuration)
      let candidates = search.candidates(
        periods: configuration.periods(inLongWindow: isLong),
        count: 2 * configuration.candidatesInSet / 3)
      var highestSimilarity = 0.0
      var mostMovements = 0
      var segmentations = 0
      for candidate in candidates {
        // A search finds no run unless enough movements are similar.
        let best = candidate.similarities.sorted(byKey: { -Double($0) })
          .prefix(configuration.chainReps)
        mostMovements = max(mostMovements, best.count)
        guard best.count >= configuration.movementsNeeded(period: candidate.period) else {
          continue
        }
        let similarity = Double(best.reduce(0, +)) / Double(best.count)
        highestSimilarity = max(highestSimilarity, similarity)
        // Two must be as similar as a run.
        let least =
          best.count < configuration.chainReps
          ? configuration.runSimilarity : configuration.movementSimilarity
        guard similarity >= Double(least) else { continue }
        let fitter = search.fitter(framesPerStep: candidate.framesPerStep)
        guard let segmentation = fitter.refine(candidate.segments) else { continue }
        segmentations += 1
        for run in runs(of: segmentation, configuration: configuration) {
          guard let first = run.segments.first, let last = run.segments.last else { continue }
          let start = origin + run.seconds(first.start)
          let end = origin + run.seconds(last.end)
          if let reason = rejection(of: run, frames: frames, configuration: configuration) {
            rejections.append(
              CandidateRejection(
                subject: .run, reason: reason, start: start, end: end, periodSeconds: run.period))
          } else {
            chains.append(
              MovementChain(
                start: start, end: end, period: run.period, weight: run.score,
                count: run.segments.count))
          }
        }
      }
      guard segmentations == 0 else { continue }
      let needed = Double(configuration.movementSimilarity)
      if mostMovements < configuration.chainReps {
        noteWindow(.tooFewReps(count: mostMovements, needed: configuration.chainReps))
      } else if highestSimilarity < needed {
        noteWindow(.nothingAlike(similarity: highestSimilarity, needed: needed))
      } else {
        noteWindow(.noSegmentation)
      }
    }
    return (chains, rejections)
  }

  /// Returns the runs of movements that resemble each other.
  private static func runs(
    of segmentation: Segmentation, configuration: DetectorConfiguration
  ) -> [Segmentation] {
    let good = segmentation.keeping(
      segmentation.segments.indices.filter {
        segmentation.similarities[$0] >= configuration.movementSimilarity
      })
    return good.runs(
      longestPause: configuration.longestPause(period: good.period)
    ).map { good.keeping($0) }
  }

  /// Returns the reason why a run is not a potential set; nil if it is one.
  private static func rejection(
    of run: Segmentation, frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) -> CandidateRejection.Reason? {
    let needed = configuration.movementsNeeded(period: run.period)
    guard run.segments.count >= needed, let first = run.segments.first, let last = run.segments.last
    else { return .tooFewReps(count: run.segments.count, needed: needed) }
    let start = run.seconds(first.start)
    let end = run.seconds(last.end)
    guard run.meanSimilarity >= configuration.runSimilarity else {
      return .unlike(
        similarity: Double(run.meanSimilarity), needed: Double(configuration.runSimilarity))
    }
    let activities = run.segments.map { segment in
      let a = index(run.seconds(segment.start), in: frames)
      let b = index(run.seconds(segment.end), in: frames)
      return MovementActivity.of(frames[a..<max(a, b)], configuration.search.amplitudes)
    }
    let activity = median(activities)
    guard activity >= configuration.search.amplitudes.leastFraction else {
      return .tooWeak(
        share: Double(activity), needed: Double(configuration.search.amplitudes.leastFraction))
    }
    let from = index(start, in: frames)
    let rows = frames[from..<max(from, index(end, in: frames))]
    return ForearmMotion(rows).gait(period: Float(run.period)) >= configuration.leastGait
      && StepSpectrum.peakFraction(rows) > configuration.leastStepPeak
      ? .walking(periodSeconds: run.period) : nil
  }

  private static func index(_ seconds: Double, in frames: ArraySlice<MotionFrame>) -> Int {
    frames.startIndex
      + Math.integer(seconds * FrontEnd.frameRateHz, clampedTo: 0...frames.count)
  }
}
