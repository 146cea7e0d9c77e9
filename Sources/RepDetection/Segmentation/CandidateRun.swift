import SignalProcessing

/// A run of reps that the search found, and what else of its surroundings may be a rep: what lies
/// beyond its ends, and what fills its gaps. The segmentations of a run are its parts, with and
/// without what fills the gaps.
struct CandidateRun {
  /// What a candidate is.
  enum Kind: UInt8 {
    /// A rep of the run.
    case found
    /// Before the first or after the last.
    case outside
    /// Between two reps that are far apart.
    case inGap
    /// The wrist goes less far than in a rep.
    case partial

    /// Whether it may be the first or the last rep.
    var isAtEnds: Bool { self == .found || self == .outside }
  }

  /// How far beyond a run something may belong to it, in durations of a rep.
  static let reach = 2.0

  let framesPerStep: Int
  /// In order, not overlapping.
  private(set) var segments: [Segment] = []
  /// What each segment is.
  var kinds: [Kind] = []

  /// The first and the last that was found.
  var firstFound: Int { kinds.firstIndex(of: .found) ?? 0 }
  var lastFound: Int { kinds.lastIndex(of: .found) ?? 0 }

  /// - Parameter kinds: of each segment; some are found.
  init(framesPerStep: Int, segments: [Segment], kinds: [Kind]) {
    self.framesPerStep = framesPerStep
    self.segments = segments
    self.kinds = kinds
  }

  /// - Parameters:
  ///   - run: what was found; at least two.
  ///   - limit: candidates on each side.
  ///   - isSettled: whether begins and ends are found more finely than the grid is.
  ///   - isKnown: whether enough of a segment was measured.
  init(
    _ run: [Segment], fitter: TemplateFitter, limit: Int, isSettled: Bool,
    isKnown: (Segment) -> Bool
  ) {
    framesPerStep = fitter.grid.framesPerStep
    guard let first = run.first, let last = run.last else { return }
    let usual = fitter.usualRep(of: run)
    let typical = usual.length
    let reach = Self.reach * typical
    let search = fitter.besideSearch(usual)
    // The nearest on each side, unless it is too far away.
    var edge = first.start
    for segment in search(Int(edge - Double(limit) * reach), Int(edge)).reversed().prefix(limit) {
      guard edge - segment.start <= reach, isKnown(segment) else { break }
      segments.insert(segment, at: 0)
      edge = segment.start
    }
    kinds = segments.map { _ in .outside }
    for (i, segment) in run.enumerated() {
      segments.append(segment)
      kinds.append(.found)
      guard i + 1 < run.count else { continue }
      let gap = run[i + 1].start - segment.end
      guard gap >= 0.55 * typical, gap < 4 * typical else { continue }
      for filling in search(Int(segment.end), Int(run[i + 1].start)) where isKnown(filling) {
        segments.append(filling)
        kinds.append(.inGap)
      }
    }
    edge = last.end
    for segment in search(Int(edge), Int(edge + Double(limit) * reach)).prefix(limit) {
      guard segment.end - edge <= reach, isKnown(segment) else { break }
      segments.append(segment)
      kinds.append(.outside)
      edge = segment.end
    }
    if isSettled { segments = fitter.settled(segments, like: usual.template) }
  }

  /// The candidates that are reps of one of its segmentations.
  func members(of segmentation: ScoredSegmentation) -> [Int] {
    (segmentation.first...segmentation.last).filter {
      kinds[$0] != .partial && (segmentation.isFilled || kinds[$0] != .inGap)
    }
  }
}
