import SignalProcessing

extension Segmentation {
  /// Drops first and last segments that are much less alike than the typical one: set-up pulls and re-racking
  /// resemble a rep, but not as much as reps resemble each other. Each run of reps between long pauses has its
  /// own first and last. The least alike goes first, and the others are compared anew without it: among few reps
  /// one bad one spoils all. What is usual in a set of few reps is told by its other reps alone.
  func trimmingEdges(configuration: DetectorConfiguration) -> Segmentation {
    guard let shapes else { return self }
    var runs = runs(configuration: configuration)
    var kept = Array(segments.indices)
    var similarities = similarities
    while kept.count >= 3 {
      let usual = median(similarities)
      var worst: (run: Int, position: Int)?
      for run in runs.indices {
        guard let first = runs[run].first, let last = runs[run].last else { continue }
        for edge in [first, last] {
          guard let position = kept.firstIndex(of: edge) else { continue }
          let usual =
            Self.usualSimilarity(in: shapes, of: kept.filter { $0 != edge }) ?? usual
          guard similarities[position] < configuration.clearSimilarity * usual else { continue }
          if let known = worst, similarities[known.position] <= similarities[position] { continue }
          worst = (run, position)
        }
      }
      guard let worst else { break }
      let range = runs[worst.run]
      runs[worst.run] =
        kept[worst.position] == range.lowerBound
        ? (range.lowerBound + 1)..<range.upperBound : range.lowerBound..<(range.upperBound - 1)
      kept.remove(at: worst.position)
      similarities = shapes.keeping(kept).similarities()
    }
    var result =
      kept.count == segments.count ? self : measuredAnew(keeping: kept)
    let floor = configuration.movementSimilarity * median(self.similarities)
    result.partials = segments.indices
      .filter { !kept.contains($0) && self.similarities[$0] >= floor }
      .map { segments[$0] }
    return result
  }

  /// The median similarity of a few reps to each other; nil where they are too few or many enough
  /// for one more not to matter.
  private static func usualSimilarity(in shapes: RepShapes, of indices: [Int]) -> Float? {
    guard indices.count > 1, indices.count < 7 else { return nil }
    return median(shapes.keeping(indices).similarities())
  }
}
