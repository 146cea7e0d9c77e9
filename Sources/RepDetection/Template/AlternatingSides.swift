import SignalProcessing

/// Movements in which left and right take turns: a lunge to each side looks like one
/// cycle of the wrist that holds two of them. Where both halves of the cycles are alike the halves
/// are counted. (The way out and the way back of one movement are opposites, their cosine is near −1.)
enum AlternatingSides {
  /// Whether every other rep of a run is alike, and neighbours are less so: two sides that take turns.
  static func takeTurns(_ run: Segmentation, configuration: DetectorConfiguration) -> Bool {
    guard let shapes = run.shapes, shapes.count >= 6 else { return false }
    let turns = shapes.similarityOfTurns()
    guard turns < configuration.clearSimilarity else { return false }
    let same = [0, 1].flatMap { first in
      shapes.keeping(Array(stride(from: first, to: shapes.count, by: 2))).similarities()
    }
    return median(same) > (1 + turns) / 2
  }

  /// Two reps each of a run as one.
  static func cycles(of run: Segmentation) -> [Segment] {
    stride(from: 0, to: run.segments.count - 1, by: 2).map {
      Segment(start: run.segments[$0].start, end: run.segments[$0 + 1].end)
    }
  }

  /// The halves of a segmentation's segments as a segmentation of their own; nil where the movement does not
  /// alternate.
  static func halves(
    of segmentation: Segmentation, search: inout CandidateSearch,
    configuration: DetectorConfiguration
  ) -> Segmentation? {
    let isDeclared = configuration.hints.alternates
    guard isDeclared != false, segmentation.segments.count >= (isDeclared == true ? 2 : 3),
      segmentation.period >= configuration.slowPeriodSeconds
    else { return nil }
    let framesPerStep = max(1, segmentation.framesPerStep / 2)
    let scale = Double(segmentation.framesPerStep) / Double(framesPerStep)
    let offset = (scale - 1) / 2
    let grid = search.grid(framesPerStep: framesPerStep)
    let halves = segmentation.segments.flatMap { segment in
      let start = segment.start * scale + offset
      let end = segment.end * scale + offset
      let middle = (start + end) / 2
      return [Segment(start: start, end: middle), Segment(start: middle, end: end)]
    }
    let shapes = RepShapes(
      of: halves, on: grid, phases: configuration.segmentationResolution.phases)
    guard shapes.similarityOfTurns() >= configuration.movementSimilarity else { return nil }
    let fitter = search.fitter(framesPerStep: framesPerStep)
    guard let refined = fitter.refine(halves, passes: 2) else { return nil }
    // Only where the cycles were found, and half of one more on each side.
    let margin = 0.6 * median(segmentation.segments.map(\.length)) * scale
    let from = (halves.first?.start ?? 0) - margin
    let to = (halves.last?.end ?? 0) + margin
    let near = refined.measuredAnew(
      keeping: refined.segments.indices.filter {
        refined.segments[$0].start >= from && refined.segments[$0].end <= to
      })
    return near.trimmingEdges(configuration: configuration)
  }
}
