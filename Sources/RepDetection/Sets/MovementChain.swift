import SignalProcessing

/// A run of similar movements in the recent signal: a set in the making.
struct MovementChain: Sendable, Codable {
  /// Seconds on the samples' clock.
  var start: Double
  var end: Double
  /// Seconds.
  var period: Double
  /// Sum of squared similarity times duration.
  var weight: Float
  /// Movements.
  var count: Int

  /// How much of it lies in a span; not above 0 where nothing does.
  func share(in span: ClosedRange<Double>) -> Double {
    (min(end, span.upperBound) - max(start, span.lowerBound)) / max(end - start, 1e-6)
  }

  /// The runs in the last seconds of `buffer`.
  ///
  /// Fast movements are looked for in a short window and slow ones in a long one, so that about
  /// the same number of reps is in each.
  ///
  /// - Parameters:
  ///   - previousEnd: signal before this time belongs to another set.
  static func recent(
    in buffer: FrameStore, after previousEnd: Double,
    configuration: DetectorConfiguration
  ) -> [MovementChain] {
    var found: [MovementChain] = []
    forEachSegmentation(in: buffer, after: previousEnd, configuration: configuration) {
      found += chains(in: $0, frames: $1, origin: $2, configuration: configuration)
    }
    return found
  }

  /// The runs in the last seconds of `buffer` that are no set in the making, with what they lack;
  /// for windows without a run, why there is none, as a window of the newest seconds.
  static func rejected(
    in buffer: FrameStore, after previousEnd: Double, configuration: DetectorConfiguration
  ) -> [CandidateRejection] {
    var found: [CandidateRejection] = []
    let now = buffer.times.last ?? 0
    func note(_ failure: CandidateRejection.Reason) {
      found.append(
        CandidateRejection(
          subject: .window, reason: failure,
          start: max(now - configuration.hopSeconds, previousEnd),
          end: now, periodSeconds: 0))
    }
    func note(_ segmentation: Segmentation, _ frames: ArraySlice<MotionFrame>, _ origin: Double) {
      for run in runs(of: segmentation, configuration: configuration) {
        guard
          let first = run.segments.first, let last = run.segments.last,
          let reason = rejection(of: run, frames: frames, configuration: configuration)
        else { continue }
        found.append(
          CandidateRejection(
            subject: .run, reason: reason, start: origin + run.seconds(first.start),
            end: origin + run.seconds(last.end), periodSeconds: run.period))
      }
    }
    forEachSegmentation(
      in: buffer, after: previousEnd, configuration: configuration, onFailure: { note($0) },
      body: { note($0, $1, $2) })
    return found
  }

  /// Calls `body` with each segmentation of the recent signal, the frames that it was found in, and the
  /// time of the first of them; `onFailure` for each window without a segmentation.
  private static func forEachSegmentation(
    in buffer: FrameStore, after previousEnd: Double, configuration: DetectorConfiguration,
    onFailure: ((CandidateRejection.Reason) -> Void)? = nil,
    body: (Segmentation, ArraySlice<MotionFrame>, Double) -> Void
  ) {
    guard let now = buffer.times.last else { return }
    for window in configuration.windows {
      guard let rows = buffer.rows(from: max(now - window.seconds, previousEnd), to: now) else {
        continue
      }
      let activity = buffer.activity(in: rows, configuration)
      guard activity >= configuration.leastActivity else {
        onFailure?(.quiet(share: Double(activity), needed: Double(configuration.leastActivity)))
        continue
      }
      let frames = buffer.frames(rows)[...]
      var search = CandidateSearch(
        frames, resolution: configuration.windowResolution, configuration: configuration)
      let candidates = search.candidates(
        periods: window.periods, count: configuration.candidatesInWindow)
      var mostAlike = 0.0
      var mostMovements = 0
      var segmentations = 0
      for candidate in candidates {
        // Where no three movements are alike at all, or two very much, a search finds no run either.
        let best = candidate.similarities.sorted(by: >).prefix(3)
        mostMovements = max(mostMovements, best.count)
        if best.count == 3 { mostAlike = max(mostAlike, Double(best.reduce(0, +)) / 3) }
        guard
          best.count == 3 && best.reduce(0, +) >= 3 * configuration.movementSimilarity
            || best.count >= 2 && candidate.period >= configuration.slowPeriodSeconds
              && best[1] >= configuration.clearSimilarity
        else { continue }
        let fitter = search.fitter(framesPerStep: candidate.framesPerStep)
        guard let segmentation = fitter.refine(candidate.segments) else { continue }
        segmentations += 1
        body(segmentation, frames, buffer.times[rows.lowerBound])
      }
      guard segmentations == 0 else { continue }
      let needed = Double(configuration.movementSimilarity)
      if mostMovements < 3 {
        onFailure?(.tooFewReps(count: mostMovements, needed: 3))
      } else if mostAlike < needed {
        onFailure?(.nothingAlike(similarity: mostAlike, needed: needed))
      } else {
        onFailure?(.noSegmentation)
      }
    }
  }

  private static func chains(
    in segmentation: Segmentation, frames: ArraySlice<MotionFrame>, origin: Double,
    configuration: DetectorConfiguration
  ) -> [MovementChain] {
    runs(of: segmentation, configuration: configuration).compactMap { run in
      guard
        let first = run.segments.first, let last = run.segments.last,
        rejection(of: run, frames: frames, configuration: configuration) == nil
      else { return nil }
      return MovementChain(
        start: origin + run.seconds(first.start), end: origin + run.seconds(last.end),
        period: run.period, weight: run.score, count: run.segments.count)
    }
  }

  /// The runs of movements that resemble each other.
  private static func runs(
    of segmentation: Segmentation, configuration: DetectorConfiguration
  ) -> [Segmentation] {
    let good = segmentation.keeping(
      segmentation.segments.indices.filter {
        segmentation.similarities[$0] >= configuration.movementSimilarity
      })
    return good.runs(configuration: configuration).map { good.keeping($0) }
  }

  /// Why a run is no set in the making; nil if it is one.
  private static func rejection(
    of run: Segmentation, frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
  ) -> CandidateRejection.Reason? {
    // Of two slow movements that are very much alike a set may be made too.
    let isPair =
      run.segments.count == 2 && run.period >= configuration.slowPeriodSeconds
      && run.meanSimilarity >= configuration.clearSimilarity
    guard
      isPair || run.segments.count >= configuration.chainReps, let first = run.segments.first,
      let last = run.segments.last
    else { return .tooFewReps(count: run.segments.count, needed: configuration.chainReps) }
    let start = run.seconds(first.start)
    let end = run.seconds(last.end)
    guard run.meanSimilarity >= configuration.runSimilarity else {
      return .unlike(
        similarity: Double(run.meanSimilarity), needed: Double(configuration.runSimilarity))
    }
    let activities = run.segments.map { segment in
      let a = index(run.seconds(segment.start), in: frames)
      let b = index(run.seconds(segment.end), in: frames)
      return MovementActivity.of(frames[a..<max(a, b)], configuration)
    }
    let activity = median(activities)
    guard activity >= configuration.leastActivity else {
      return .tooWeak(share: Double(activity), needed: Double(configuration.leastActivity))
    }
    let from = index(start, in: frames)
    let motion = ForearmMotion(frames[from..<max(from, index(end, in: frames))])
    return motion.gait(period: Float(run.period)) >= configuration.leastGait
      ? .walking(periodSeconds: run.period) : nil
  }

  private static func index(_ seconds: Double, in frames: ArraySlice<MotionFrame>) -> Int {
    frames.startIndex
      + Math.integer(seconds * FrontEnd.frameRateHz, clampedTo: 0...frames.count)
  }
}
