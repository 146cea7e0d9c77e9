import Motion

extension LiveTracker {
  /// What is known of a set at an instant.
  struct Lock: Sendable {
    let space: ComponentSpace
    let framesPerStep: Int
    let template: [SIMD4<Float>]
    /// The template in all lengths that are searched for.
    private let stretched: StretchedTemplates?
    /// In grid steps.
    let typicalLength: Double
    let typicalEnergy: Float
    /// Seconds.
    let period: Double
    let reps: [SettledRun.Rep]

    /// Reads the rows of `buffer` as a set; nil where nothing repeats.
    ///
    /// - Parameters:
    ///   - expectedPeriod: seconds, about; nil where any may be.
    ///   - known: a template of the same set: its reps are where the search begins, and its period is
    ///     kept unless another fits clearly better.
    init?(
      _ buffer: FrameStore, rows: Range<Int>, expectedPeriod: Double?, known: Lock?,
      isNew: Bool = false, configuration: DetectorConfiguration
    ) {
      var configuration = configuration
      configuration.isUnderWay = true
      configuration.edgeSimilarity = configuration.liveEdgeSimilarity
      configuration.settlingResolution = configuration.liveResolution
      configuration.firstRepUnlikeness = configuration.liveFirstRepUnlikeness
      configuration.edgesAreLeftOut = true
      configuration.candidatesWhenSettling = configuration.liveCandidates
      configuration.hypothesesSwept = configuration.liveHypotheses
      configuration.sweepPhases = configuration.liveSweepPhases
      configuration.sweepPasses = configuration.liveSweepPasses
      let stretch = buffer[rows]
      let settlement = Self.read(
        stretch.frames[...], expectedPeriod: expectedPeriod, known: known, isNew: isNew,
        configuration: configuration)
      guard
        let reading = settlement.best, let space = settlement.space, let grid = settlement.grid,
        reading.segments.count >= 2
      else { return nil }
      reps = RepBoundaries.reps(of: reading, in: stretch, reach: 0)
      // A pause between reps is put before each, not after it, so that a rep is complete when the
      // wrist is back and not when it leaves again.
      let origin = buffer.times[rows.lowerBound]
      let pauses = zip(reading.segments, reps).map {
        origin + reading.seconds($0.0.end) - $0.1.end
      }
      let stepsPerSecond = FrontEnd.frameRateHz / Double(reading.framesPerStep)
      let shift = reps.count == reading.segments.count ? max(0, median(pauses)) : 0
      let segments = reading.segments.map {
        Segment(start: $0.start - shift * stepsPerSecond, end: $0.end - shift * stepsPerSecond)
      }
      let shapes = RepShapes(
        of: segments, on: grid, phases: configuration.settlingResolution.phases)
      self.space = space
      framesPerStep = reading.framesPerStep
      template = shapes.template()
      typicalLength = median(reading.segments.map(\.length))
      typicalEnergy = median(shapes.energies)
      stretched = TemplateFitter.stretched(
        template, groups: space.groups, typicalLength: typicalLength,
        configuration: configuration)
      period = reading.period
    }

    /// The reading from new guesses, or that from the known template where it is as good. A set may
    /// have been recognised by half of its rep, or by two, and while it has few reps the readings of
    /// both score about the same: without a preference they would take turns.
    private static func read(
      _ frames: ArraySlice<MotionFrame>, expectedPeriod: Double?, known: Lock?,
      isNew: Bool, configuration: DetectorConfiguration
    ) -> Settlement {
      let reach = configuration.liveReach
      func anew() -> Settlement {
        Settlement(
          frames, periods: expectedPeriod.map { ($0 / reach)...($0 * reach) },
          configuration: configuration)
      }
      guard let known else { return anew() }
      let segments = known.search(frames, configuration: configuration)
      let near = Settlement(
        frames,
        near: Segmentation(
          framesPerStep: known.framesPerStep, segments: segments,
          similarities: segments.map { _ in 1 }),
        configuration: configuration)
      // New guesses cost three times as much: they are for sets long enough to tell one period from
      // half of it, and for templates that no longer fit.
      if !isNew, let count = near.best?.segments.count, count < configuration.liveRecognisedAnewReps {
        return near
      }
      let anew = anew()
      guard let old = near.best, let new = anew.best else { return near.best == nil ? anew : near }
      let ratio = new.period / max(old.period, 0.1)
      let isOther = max(ratio, 1 / max(ratio, 0.01)) > 1.3
      return new.score > old.score * (isOther ? configuration.liveChangeScore : 1) ? anew : near
    }

    /// Bytes that are held.
    var byteCount: Int {
      template.count * 16 + reps.count * MemoryLayout<SettledRun.Rep>.stride
        + (stretched?.byteCount ?? 0) + 9 * space.groups * 16
    }

    /// The best row of reps with this template.
    func search(
      _ frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
    ) -> [Segment] {
      search(with: fitter(for: frames, configuration: configuration))
    }

    private func search(with fitter: TemplateFitter) -> [Segment] {
      stretched.map { fitter.search($0, typicalEnergy: typicalEnergy) } ?? []
    }

    /// A search for more reps in what begins at a time, s.
    func liveSearch(from start: Double, configuration: DetectorConfiguration) -> LiveSearch? {
      LiveSearch(
        template, in: space, typicalFrames: typicalLength * Double(framesPerStep),
        typicalEnergy: typicalEnergy, start: start, configuration: configuration)
    }

    private func fitter(
      for frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
    ) -> TemplateFitter {
      TemplateFitter(
        grid: PhaseGrid(
          space.project(frames), groups: space.groups, framesPerStep: framesPerStep),
        resolution: configuration.liveResolution, configuration: configuration)
    }
  }
}
