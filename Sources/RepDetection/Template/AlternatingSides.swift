import SignalProcessing

/// Movements in which left and right take turns (step 8): a lunge to each side looks like one
/// cycle of the wrist that holds two of them. Where both halves of the cycles are alike the halves
/// are counted. (The way out and the way back of one movement are opposites, their cosine is near −1.)
enum AlternatingSides {
  /// Whether every other rep of a row is alike, and neighbours are less so: two sides that take turns.
  static func takeTurns(_ row: Segmentation, configuration: DetectorConfiguration) -> Bool {
    guard let shapes = row.shapes, shapes.count >= 6 else { return false }
    let turns = shapes.similarityOfTurns()
    guard turns < configuration.turnSimilarity else { return false }
    let same = [0, 1].flatMap { first in
      shapes.keeping(Array(stride(from: first, to: shapes.count, by: 2))).similarities()
    }
    return median(same) > (1 + turns) / 2
  }

  /// Two reps each of a row as one.
  static func cycles(of row: Segmentation) -> [Segment] {
    stride(from: 0, to: row.segments.count - 1, by: 2).map {
      Segment(start: row.segments[$0].start, end: row.segments[$0 + 1].end)
    }
  }

  /// The halves of a reading's segments as a reading of their own; nil where the movement does not
  /// alternate.
  static func halves(
    of reading: Segmentation, search: inout CandidateSearch, configuration: DetectorConfiguration
  ) -> Segmentation? {
    let isSaid = configuration.hints.alternates
    let shortest =
      isSaid == true
      ? configuration.shortestSaidCycleSeconds : configuration.shortestAlternatingCycleSeconds
    guard isSaid != false, reading.segments.count >= 3 || isSaid == true,
      reading.segments.count >= 2, reading.period >= shortest
    else { return nil }
    let framesPerStep = max(1, reading.framesPerStep / 2)
    let scale = Double(reading.framesPerStep) / Double(framesPerStep)
    let offset = (scale - 1) / 2
    let grid = search.grid(framesPerStep: framesPerStep)
    let halves = reading.segments.flatMap { segment in
      let start = segment.start * scale + offset
      let end = segment.end * scale + offset
      let middle = (start + end) / 2
      return [Segment(start: start, end: middle), Segment(start: middle, end: end)]
    }
    let shapes = RepShapes(of: halves, on: grid, phases: configuration.settlingResolution.phases)
    guard shapes.similarityOfTurns() >= configuration.halfSimilarity else { return nil }
    let fitter = search.fitter(framesPerStep: framesPerStep)
    guard let refined = fitter.refine(halves, passes: 2) else { return nil }
    // Only where the cycles were found, and half of one more on each side.
    let margin = 0.6 * median(reading.segments.map(\.length)) * scale
    let from = (halves.first?.start ?? 0) - margin
    let to = (halves.last?.end ?? 0) + margin
    let near = refined.measuredAnew(
      keeping: refined.segments.indices.filter {
        refined.segments[$0].start >= from && refined.segments[$0].end <= to
      })
    let trimmed = Settlement.trimEdges(of: near, configuration: configuration)
    let least = configuration.halvesPerCycle * Double(reading.segments.count)
    return Double(trimmed.segments.count) >= least ? trimmed : nil
  }
}
