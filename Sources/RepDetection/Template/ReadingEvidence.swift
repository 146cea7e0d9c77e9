import SignalProcessing

/// What speaks for and against a settled reading of a stretch, beside its reps themselves.
struct ReadingEvidence: Sendable {
  /// Of readings that fit about as well as the chosen one, the share with its count.
  var agreement = 0.0
  /// By how much the best reading with this count fits better than the best with another count at
  /// about this period, as a share of its score; −1 to 1.
  var margin = 0.0
  /// How much the wrist moves where one rep ends and the next begins, as a share of its mean motion.
  var boundaryMotion = 1.0
  /// How like each other the first and the second halves of the reps are, −1 to 1: near 1 what
  /// was taken for one rep may be two.
  var halfSimilarity = 0.0
  /// How like a rep the movement just before the first and just after the last rep is: the larger
  /// of both, similarity times the root of the share of the usual energy, at most 1.
  var neighbourSimilarity = 0.0
  /// How like a second half the half rep before the first one is, and a first half the half rep after
  /// the last: the smaller of both. Near 1 where reps were cut at the far end.
  var leftoverSimilarity: Double { min(leftovers.before, leftovers.after) }
  /// The two apart.
  var leftovers = (before: 0.0, after: 0.0)
  /// How alike the second half of the last rep is to those of the others.
  var lastHalfSimilarity = 1.0
}

extension ReadingEvidence {
  /// What the template of the chosen reading says of its halves and its surroundings.
  mutating func compare(_ best: Segmentation, on grid: PhaseGrid, phases: Int) {
    guard let first = best.segments.first, let last = best.segments.last else { return }
    let shapes = RepShapes(of: best.segments, on: grid, phases: phases)
    let template = shapes.template()
    let energy = median(shapes.energies)
    let length = median(best.segments.map(\.length))
    let halves = best.segments.map { Segment(start: $0.start, end: ($0.start + $0.end) / 2) }
    let seconds = best.segments.map { Segment(start: ($0.start + $0.end) / 2, end: $0.end) }
    let firstHalves = RepShapes(of: halves, on: grid, phases: phases)
    let secondHalves = RepShapes(of: seconds, on: grid, phases: phases)
    let firstHalf = firstHalves.template()
    let secondHalf = secondHalves.template()
    halfSimilarity = Double(cosine(firstHalf, secondHalf))

    func likeness(_ segment: Segment, _ model: [SIMD4<Float>], _ usual: Float) -> Double {
      guard segment.start >= -0.5, segment.end <= Double(grid.stepCount) - 0.5, usual > 0
      else { return 0 }
      let shape = RepShapes(of: [segment], on: grid, phases: phases)
      guard let energy = shape.energies.first else { return 0 }
      let share = Double(min(energy / usual, 1)).squareRoot()
      return max(0, Double(cosine(shape.values, model))) * share
    }
    // Allow for a pause, and for a movement that is somewhat quicker or slower.
    var neighbour = 0.0
    var before = 0.0
    var after = 0.0
    for gap in [0.0, 0.15, 0.3] {
      for stretch in [0.8, 1.0, 1.25] {
        let d = stretch * length
        let end = first.start - gap * length
        let start = last.end + gap * length
        neighbour = max(
          neighbour, likeness(Segment(start: end - d, end: end), template, energy),
          likeness(Segment(start: start, end: start + d), template, energy))
        before = max(
          before,
          likeness(
            Segment(start: end - d / 2, end: end), secondHalf, median(secondHalves.energies)))
        after = max(
          after,
          likeness(
            Segment(start: start, end: start + d / 2), firstHalf, median(firstHalves.energies)))
      }
    }
    neighbourSimilarity = min(neighbour, 1)
    leftovers = (min(before, 1), min(after, 1))
    if best.segments.count > 2 {
      lastHalfSimilarity = Double(
        shapes.secondHalfSimilarity(
          of: best.segments.count - 1, with: Array(0..<(best.segments.count - 1))))
    }
  }

  /// The scalar product of two shapes of unit length.
  private func cosine(_ a: [SIMD4<Float>], _ b: [SIMD4<Float>]) -> Float {
    guard a.count == b.count else { return 0 }
    var dot = SIMD4<Float>()
    for k in a.indices { dot += a[k] * b[k] }
    return dot.sum()
  }
}
