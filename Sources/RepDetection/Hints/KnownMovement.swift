/// Where a stretch shows a movement that the caller knows of earlier sets (``SetHints/patterns``).
///
/// A row of equal movements can be cut at any phase, and two of them taken for one; what a rep looked
/// like before settles both. The template of each pattern is laid over the stretch by the segmental
/// search of step 6; of several patterns the one that covers the stretch best is taken.
struct KnownMovement {
  let framesPerStep: Int
  /// The parts that look like the movement, on the grid of ``framesPerStep``.
  let segments: [Segment]
  /// Begins of these parts, s from the first frame.
  private let starts: [Double]
  private let period: Double

  /// Nil without patterns, and where none of them is seen at least three times.
  init?(in frames: ArraySlice<MotionFrame>, configuration: DetectorConfiguration) {
    let tilt = Float(Math.cosine(configuration.recalledTiltDegrees / 180 * Double.pi))
    var best: (template: MovementTemplate, matches: [MovementTemplate.Match], weight: Double)?
    for pattern in configuration.hints.patterns.suffix(max(configuration.memoryCapacity, 0)) {
      guard let template = MovementTemplate(pattern, configuration: configuration) else { continue }
      let matches = template.matches(in: frames, configuration: configuration).filter {
        $0.similarity >= configuration.matchedSimilarity
          && configuration.recalledEnergy.contains($0.energy) && $0.postureCosine >= tilt
      }
      let weight = matches.reduce(0) {
        $0 + Double($1.similarity * $1.similarity) * ($1.end - $1.start)
      }
      if matches.count >= configuration.rememberedReps, weight > best?.weight ?? 0 {
        best = (template, matches, weight)
      }
    }
    guard let best else { return nil }
    framesPerStep = best.template.framesPerStep
    segments = best.matches.map(\.segment)
    starts = best.matches.map(\.start)
    period = median(best.matches.map { $0.end - $0.start })
  }

  /// Those of the readings that cut the stretch into such movements; all, if they fit much worse than
  /// others or there is none.
  func likely(
    among readings: [Segmentation], configuration: DetectorConfiguration
  ) -> [Segmentation] {
    let own = readings.filter { agrees(with: $0, configuration) }
    let best = readings.map(\.score).max() ?? 0
    guard let score = own.map(\.score).max(), score >= configuration.knownScore * best else {
      return readings
    }
    return own
  }

  private func agrees(with reading: Segmentation, _ configuration: DetectorConfiguration) -> Bool {
    guard reading.period < 1.33 * period, period < 1.33 * reading.period else { return false }
    let alike = reading.segments.count { segment in
      let start = reading.seconds(segment.start)
      return starts.contains { ($0 - start).magnitude <= configuration.knownPhase * period }
    }
    return Double(alike) >= configuration.matchedShare * Double(reading.segments.count)
  }
}
