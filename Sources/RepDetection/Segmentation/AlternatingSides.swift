import SignalProcessing
import TemplateSearch

/// Detection of alternating sides: a pair of lunges, one to each side, looks like one cycle of the wrist. If
/// both halves of the cycles are similar, the halves are counted. (The way out and the way back of one
/// movement are opposites; their cosine is near −1.)
enum AlternatingSides {
  /// Returns true if every other rep of a run is similar and neighbors are less so: two sides alternate.
  static func alternate(
    _ run: Segmentation, on grid: PhaseGrid, configuration: DetectorConfiguration
  ) -> Bool {
    let reps = run.segments
    guard reps.count >= 6 else { return false }
    func shapes(of reps: [Segment]) -> RepShapes {
      RepShapes(of: reps, on: grid, phases: configuration.search.segmentationResolution.phases)
    }
    let turns = shapes(of: reps).similarityOfAlternates()
    let same = [0, 1].flatMap { first in
      shapes(of: stride(from: first, to: reps.count, by: 2).map { reps[$0] }).similarities()
    }
    return median(same) > (1 + turns) / 2
  }

  /// Returns a run with each pair of reps merged into one, as probable as the less probable of them.
  static func cycles(of run: Segmentation, fitter: TemplateFitter) -> Segmentation {
    let firsts = stride(from: 0, to: run.segments.count - 1, by: 2)
    var cycles = fitter.measured(
      firsts.map { Segment(start: run.segments[$0].start, end: run.segments[$0 + 1].end) })
    cycles.probabilities = firsts.map { min(run.probabilities[$0], run.probabilities[$0 + 1]) }
    cycles.partials = run.partials
    return cycles
  }

  /// Returns true if each rep of a slow run contains two similar movements: one to each side.
  static func areCycles(_ run: Segmentation, search: inout CandidateSearch) -> Bool {
    let configuration = search.configuration
    let isDeclared = configuration.hints.alternates
    guard isDeclared != false, run.segments.count >= (isDeclared == true ? 2 : 3),
      run.period >= configuration.slowPeriodSeconds
    else { return false }
    let framesPerStep = max(1, run.framesPerStep / 2)
    let halves = run.segments.flatMap {
      $0.onGrid(framesPerStep: framesPerStep, from: run.framesPerStep).halves
    }
    let shapes = RepShapes(
      of: halves, on: search.grid(framesPerStep: framesPerStep),
      phases: configuration.search.segmentationResolution.phases)
    return shapes.similarityOfAlternates() >= configuration.movementSimilarity
  }
}
