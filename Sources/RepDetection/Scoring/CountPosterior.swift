import MotionFrames
import SignalProcessing
import TemplateSearch

/// The posterior over the counts of a window. A count's probability is the sum over the segmentations with
/// that count (docs/counter.md).
struct CountPosterior {
  /// The best segmentation of the most probable count.
  private(set) var best: ScoredSegmentation
  /// Probability of the best segmentation's count.
  private(set) var probability: Double
  /// All segmentations, with their probabilities.
  let segmentations: [ScoredSegmentation]

  /// Returns nil if there is no segmentation.
  ///
  /// - Parameter preference: Returns a bonus for the score of a segmentation.
  init?(
    _ segmentations: [ScoredSegmentation], configuration: DetectorConfiguration,
    preference: (ScoredSegmentation) -> Float = { _ in 0 }
  ) {
    guard !segmentations.isEmpty else { return nil }
    let weights = configuration.weights
    var scores = segmentations.map {
      ($0.features * weights.score).sum() * weights.temperature + preference($0)
    }
    let highest = scores.max() ?? 0
    var total = 0.0
    var most = 0
    for i in scores.indices {
      let weight = Math.exp(Double(scores[i] - highest))
      total += weight
      scores[i] = Float(weight)
      most = max(most, segmentations[i].count)
    }
    var ofCount = [Double](repeating: 0, count: most + 1)
    var weighed = segmentations
    for i in weighed.indices {
      weighed[i].probability = Float(Double(scores[i]) / total)
      ofCount[weighed[i].count] += Double(scores[i]) / total
    }
    let count = ofCount.indices.max { ofCount[$0] < ofCount[$1] } ?? 0
    guard
      let best = weighed.lazy.filter({ $0.count == count }).max(by: {
        $0.probability < $1.probability
      })
    else { return nil }
    self.best = best
    probability = ofCount[count]
    self.segmentations = weighed
  }

  /// Returns the segmentation with the stillest boundaries among those of about the best one's tempo. The
  /// score compares reps and is nearly indifferent to the phase at which they are cut. This chooses
  /// boundaries where the wrist moves least and where the first announced reps began. For a finished set only
  /// the most probable count is considered; while a set is under way, a rep may not have ended yet at another
  /// phase.
  func stillest(in window: WindowSegmentations) -> ScoredSegmentation {
    let configuration = window.configuration
    let period = window.period(of: best)
    let sameTempo = segmentations.filter {
      (window.isOngoing || $0.count == best.count)
        && DetectorConfiguration.haveSameTempo(window.period(of: $0), period)
    }
    guard sameTempo.count > 1 else { return best }
    let speeds = window.signal.frames.map { $0.squaredAngularSpeed.squareRoot() }
    let origin = window.signal.times.first ?? 0
    let begins = ProvisionalCounter.firstReps(in: window.signal, configuration: configuration)
      .map { $0.start - origin }
    func score(_ scored: ScoredSegmentation) -> Double {
      let segmentation = window.plainSegmentation(scored)
      return Math.log(Double(scored.probability))
        - configuration.boundaryCost
        * (Double(segmentation.boundaryMotion(speeds: speeds))
          + segmentation.offset(from: begins, period: period))
    }
    var chosen = best
    var highest = score(best)
    for scored in sameTempo {
      let own = score(scored)
      if own > highest { (chosen, highest) = (scored, own) }
    }
    return chosen
  }

  /// Returns the total probability, for each rep of a segmentation, of the segmentations that contain it:
  /// those with a rep whose intersection with it is at least two fifths of their union.
  func repProbabilities(
    of segmentation: ScoredSegmentation, among runs: [CandidateRun]
  ) -> [Double] {
    probabilities(
      of: runs[segmentation.run].members(of: segmentation), in: segmentation.run, among: runs)
  }

  /// Returns these probabilities for candidates of a run, in order.
  func probabilities(of candidates: [Int], in run: Int, among runs: [CandidateRun]) -> [Double] {
    func spans(_ candidates: [Int], in run: CandidateRun) -> [Segment] {
      let q = Double(run.framesPerStep)
      return candidates.map {
        Segment(
          start: (run.segments[$0].start + 0.5) * q, end: (run.segments[$0].end + 0.5) * q)
      }
    }
    let reps = spans(candidates, in: runs[run])
    var result = [Double](repeating: 0, count: reps.count)
    for segmentation in segmentations where segmentation.probability > 1e-4 {
      let run = runs[segmentation.run]
      let others = spans(run.members(of: segmentation), in: run)
      var next = 0
      for (i, rep) in reps.enumerated() {
        while next < others.count, others[next].end <= rep.start { next += 1 }
        var other = next
        while other < others.count, others[other].start < rep.end {
          let shared = min(rep.end, others[other].end) - max(rep.start, others[other].start)
          let both = max(rep.end, others[other].end) - min(rep.start, others[other].start)
          if shared >= 0.4 * both {
            result[i] += Double(segmentation.probability)
            break
          }
          other += 1
        }
      }
    }
    return result.map { min($0, 1) }
  }
}
