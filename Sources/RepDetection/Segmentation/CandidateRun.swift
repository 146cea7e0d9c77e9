import SignalProcessing

/// A run of reps that the search found, and what else of its surroundings may be a rep: what lies
/// beyond its ends. The segmentations of a run are its parts.
struct CandidateRun {
  /// What a candidate is.
  enum Kind: UInt8 {
    /// A rep of the run.
    case found
    /// Before the first or after the last.
    case outside
    /// The wrist goes less far than in a rep.
    case partial
  }

  /// How far beyond a run something may belong to it, in durations of a rep.
  static let reach = 2.0
  /// How many movements on each side.
  private static let mostBeside = 2

  let framesPerStep: Int
  /// In order, not overlapping.
  var segments: [Segment] = []
  /// What each segment is.
  var kinds: [Kind] = []

  /// The first and the last that was found.
  var firstFound: Int { kinds.firstIndex(of: .found) ?? 0 }
  var lastFound: Int { kinds.lastIndex(of: .found) ?? 0 }

  /// The candidates that are reps of one of its segmentations.
  func members(of segmentation: ScoredSegmentation) -> [Int] {
    (segmentation.first...segmentation.last).filter { kinds[$0] != .partial }
  }
}

extension CandidateRun {
  /// - Parameters:
  ///   - run: what was found; at least two.
  ///   - isSettled: whether begins and ends are found more finely than the grid is.
  ///   - isKnown: whether enough of a segment was measured.
  init(
    _ run: [Segment], fitter: TemplateFitter, isSettled: Bool, isKnown: (Segment) -> Bool
  ) {
    self.init(framesPerStep: fitter.grid.framesPerStep)
    guard let first = run.first, let last = run.last else { return }
    let usual = fitter.usualRep(of: run)
    let reach = Self.reach * usual.length
    let search = fitter.besideSearch(usual)
    // The nearest on each side, unless it is too far away.
    var edge = first.start
    for segment in search(Int(edge - Double(Self.mostBeside) * reach), Int(edge))
      .reversed().prefix(Self.mostBeside)
    {
      guard edge - segment.start <= reach, isKnown(segment) else { break }
      segments.insert(segment, at: 0)
      edge = segment.start
    }
    kinds = segments.map { _ in .outside }
    segments += run
    kinds += run.map { _ in .found }
    edge = last.end
    for segment in search(Int(edge), Int(edge + Double(Self.mostBeside) * reach))
      .prefix(Self.mostBeside)
    {
      guard segment.end - edge <= reach, isKnown(segment) else { break }
      segments.append(segment)
      kinds.append(.outside)
      edge = segment.end
    }
    if isSettled { segments = fitter.settled(segments, like: usual.template) }
  }
}
