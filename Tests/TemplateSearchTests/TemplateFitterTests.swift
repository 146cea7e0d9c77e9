import Foundation
import MotionFrames
import Testing

@testable import TemplateSearch

struct TemplateFitterTests {
  /// A movement repeats every 13.4 steps from step 7.2. If it is cut at whole steps, its reps look different.
  @Test func boundariesAreAdjustedBetweenSteps() {
    let (first, period) = (7.2, 13.4)
    let components = (0..<100).flatMap { step -> [SIMD4<Float>] in
      let turn = Float(1 - cos(2 * .pi * (Double(step) - first) / period))
      return [SIMD4(turn, turn * turn, 0, 0), .zero]
    }
    let fitter = TemplateFitter(
      grid: PhaseGrid(components, framesPerStep: 1),
      resolution: ShapeResolution(stepsPerRep: 14, phases: 16),
      configuration: TemplateSearchConfiguration())
    let exact = (0..<6).map {
      Segment(start: first + period * Double($0), end: first + period * Double($0 + 1))
    }
    let cut = exact.map { Segment(start: $0.start.rounded(), end: $0.end.rounded()) }
    let template = fitter.typicalRep(of: exact).template
    let settled = fitter.adjusted(cut, like: template)

    func error(_ segments: [Segment]) -> Double {
      zip(segments, exact).reduce(0) {
        $0 + abs($1.0.start - $1.1.start) + abs($1.0.end - $1.1.end)
      }
    }
    #expect(error(settled) < 0.7 * error(cut))
    func likeness(_ segments: [Segment]) -> Float {
      RepShapes(of: segments, on: fitter.grid, phases: fitter.resolution.phases)
        .similarities(with: template).reduce(0, +)
    }
    #expect(likeness(settled) > likeness(cut))
    #expect(zip(settled, settled.dropFirst()).allSatisfy { $0.end <= $1.start })
  }
}
