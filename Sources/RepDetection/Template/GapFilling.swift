import SignalProcessing

/// Reps that were disturbed (step 8): between two reps of a row lies a gap about as long as a rep,
/// in which the wrist moves about as much as in a rep and not against it. A pause has no energy and
/// stays a pause.
enum GapFilling {
  static func filled(
    _ reading: Segmentation, on grid: PhaseGrid, configuration: DetectorConfiguration
  ) -> Segmentation {
    guard reading.segments.count >= 3 else { return reading }
    let phases = configuration.settlingResolution.phases
    let typical = median(reading.segments.map(\.length))
    var gaps: [Segment] = []
    for (before, after) in zip(reading.segments, reading.segments.dropFirst()) {
      let length = after.start - before.end
      if configuration.filledGapInPeriods.contains(length / typical) {
        gaps.append(Segment(start: before.end, end: after.start))
      }
    }
    guard !gaps.isEmpty else { return reading }
    let shapes = RepShapes(of: reading.segments, on: grid, phases: phases)
    let template = shapes.template()
    let candidates = RepShapes(of: gaps, on: grid, phases: phases)
    let similarities = candidates.similarities(with: template)
    let least = Float(configuration.filledGapEnergy) * median(shapes.energies)
    let disturbed = gaps.indices.filter {
      candidates.energies[$0] >= least
        && similarities[$0] >= Float(configuration.filledGapSimilarity)
    }
    guard !disturbed.isEmpty else { return reading }
    let segments = (reading.segments + disturbed.map { gaps[$0] }).sorted { $0.start < $1.start }
    let all = RepShapes(of: segments, on: grid, phases: phases)
    var result = Segmentation(
      framesPerStep: reading.framesPerStep, segments: segments, similarities: all.similarities())
    result.shapes = all
    result.partials = reading.partials
    return result
  }
}
