import Motion
import SignalProcessing

extension LiveTracker {
  /// The template that is tracked while a set goes on, and what else is known of the set at that instant.
  struct TrackedTemplate: Sendable, Codable {
    let space: ComponentSpace
    let framesPerStep: Int
    let template: [SIMD4<Float>]
    /// In grid steps.
    let typicalLength: Double
    let typicalEnergy: Float
    /// Seconds.
    let period: Double
    let reps: [RepRun.Rep]
    /// Of a rep without the pause before it, s.
    let usualDuration: Double

    /// Segments the rows of `buffer` as a set; nil where nothing repeats.
    ///
    /// - Parameters:
    ///   - known: a template of the same set: its reps are where the search begins.
    ///   - isInDoubt: whether there are signs that the set was taken for another movement than it is:
    ///     then new candidates are searched at once.
    ///   - announcedEnd: end of the last rep that was announced of the movement, s; nil where none was.
    init?(
      _ buffer: FrameStore, rows: Range<Int>, known: TrackedTemplate?,
      isInDoubt: Bool = false, announcedEnd: Double?, configuration: DetectorConfiguration
    ) {
      // The run with most reps is followed: rest before the signal would give it one more.
      let rows = buffer.withinSignal(rows)
      guard !rows.isEmpty else { return nil }
      let window = buffer[rows]
      let live = Self.read(
        window.frames[...], known: known, isInDoubt: isInDoubt,
        announcedEnd: announcedEnd.map { $0 - buffer.times[rows.lowerBound] },
        configuration: configuration)
      guard let segmentation = live.best, let grid = live.grid, segmentation.segments.count >= 2
      else {
        return nil
      }
      reps = RepBoundaries.reps(of: segmentation, in: window, reach: 0)
      usualDuration = median(reps.map { $0.end - $0.start })
      // A pause between reps is put before each, not after it, so that a rep is complete when the
      // wrist is back and not when it leaves again.
      let origin = buffer.times[rows.lowerBound]
      let pauses = zip(segmentation.segments, reps).map {
        origin + segmentation.seconds($0.0.end) - $0.1.end
      }
      let stepsPerSecond = FrontEnd.frameRateHz / Double(segmentation.framesPerStep)
      let shift = reps.count == segmentation.segments.count ? max(0, median(pauses)) : 0
      let segments = segmentation.segments.map {
        Segment(start: $0.start - shift * stepsPerSecond, end: $0.end - shift * stepsPerSecond)
      }
      let shapes = RepShapes(
        of: segments, on: grid, phases: configuration.segmentationResolution.phases)
      space = live.space
      framesPerStep = segmentation.framesPerStep
      template = shapes.template()
      typicalLength = median(segmentation.segments.map(\.length))
      typicalEnergy = median(shapes.energies)
      period = segmentation.period
    }

    /// The segmentation from the known template, or that from new candidates where it is better.
    private static func read(
      _ frames: ArraySlice<MotionFrame>, known: TrackedTemplate?,
      isInDoubt: Bool, announcedEnd: Double?, configuration: DetectorConfiguration
    ) -> LiveSegmentation {
      func anew() -> LiveSegmentation {
        LiveSegmentation(
          frames,
          periods: configuration.shortestPeriodSeconds...configuration.longestPeriodSeconds,
          announcedEnd: announcedEnd, configuration: configuration)
      }
      guard let known else { return anew() }
      let segments = known.search(frames, configuration: configuration)
      let near = LiveSegmentation(
        frames,
        near: Segmentation(
          framesPerStep: known.framesPerStep, segments: segments,
          similarities: segments.map { _ in 1 }),
        announcedEnd: announcedEnd, configuration: configuration)
      // New candidates cost three times as much: they are for templates that no longer fit.
      if !isInDoubt, near.best != nil { return near }
      let anew = anew()
      guard let old = near.best, let new = anew.best else { return near.best == nil ? anew : near }
      return new.score > old.score ? anew : near
    }

    /// Bytes that are held.
    var byteCount: Int {
      template.count * 16 + reps.count * MemoryLayout<RepRun.Rep>.stride
        + space.byteCount
    }

    /// The best run of reps with this template.
    private func search(
      _ frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration
    ) -> [Segment] {
      TemplateFitter(
        grid: PhaseGrid(space.project(frames), framesPerStep: framesPerStep),
        resolution: configuration.segmentationResolution, configuration: configuration
      ).search(template: template, typicalLength: typicalLength, typicalEnergy: typicalEnergy)
    }

    /// A search for more reps in what begins at a time, s.
    func liveSearch(from start: Double, configuration: DetectorConfiguration) -> LiveSearch? {
      LiveSearch(
        template, in: space, typicalFrames: typicalLength * Double(framesPerStep),
        typicalEnergy: typicalEnergy, start: start, configuration: configuration)
    }
  }
}
