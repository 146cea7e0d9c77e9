import SignalProcessing
import TemplateSearch

/// A run of reps that the search found, with further candidates beyond its ends. The segmentations of a run
/// are its parts.
struct CandidateRun {
  /// The kind of a candidate.
  enum Kind: UInt8 {
    /// A rep of the run.
    case found
    /// A movement before the first rep or after the last.
    case outside
    /// A movement whose extent is smaller than a rep's.
    case partial
  }

  /// Maximum distance of a candidate from the run, in durations of a rep.
  static let reach = 2.0
  /// Maximum number of candidates on each side.
  private static let mostOutside = 2

  let framesPerStep: Int
  /// The candidates, in order and without overlap.
  var segments: [Segment] = []
  /// The kind of each segment.
  var kinds: [Kind] = []

  /// Indices of the first and the last found rep.
  var firstFound: Int { kinds.firstIndex(of: .found) ?? 0 }
  var lastFound: Int { kinds.lastIndex(of: .found) ?? 0 }

  /// Returns the indices of the candidates that are reps of a segmentation.
  func members(of segmentation: ScoredSegmentation) -> [Int] {
    (segmentation.first...segmentation.last).filter { kinds[$0] != .partial }
  }
}

extension CandidateRun {
  /// - Parameters:
  ///   - run: The found reps; at least two.
  ///   - isAdjusted: Whether to place boundaries between the steps of the grid.
  ///   - isKnown: Returns whether enough of a segment was measured.
  init(
    _ run: [Segment], fitter: TemplateFitter, isAdjusted: Bool, isKnown: (Segment) -> Bool
  ) {
    self.init(framesPerStep: fitter.grid.framesPerStep)
    guard let first = run.first, let last = run.last else { return }
    let typicalRep = fitter.typicalRep(of: run)
    let reach = Self.reach * typicalRep.length
    let search = fitter.permissiveSearch(typicalRep)
    // Add the nearest movements on each side, unless they are too far away.
    var edge = first.start
    for segment in search(Int(edge - Double(Self.mostOutside) * reach), Int(edge))
      .reversed().prefix(Self.mostOutside)
    {
      guard edge - segment.start <= reach, isKnown(segment) else { break }
      segments.insert(segment, at: 0)
      edge = segment.start
    }
    kinds = segments.map { _ in .outside }
    segments += run
    kinds += run.map { _ in .found }
    edge = last.end
    for segment in search(Int(edge), Int(edge + Double(Self.mostOutside) * reach))
      .prefix(Self.mostOutside)
    {
      guard segment.end - edge <= reach, isKnown(segment) else { break }
      segments.append(segment)
      kinds.append(.outside)
      edge = segment.end
    }
    if isAdjusted { segments = fitter.adjusted(segments, like: typicalRep.template) }
  }
}
