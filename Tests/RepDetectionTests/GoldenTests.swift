import Foundation
import Testing

@testable import RepDetection
@testable import SignalProcessing
@testable import TemplateSearch

/// Filters and transforms compared with SciPy and NumPy (golden/make_golden.py).
struct GoldenTests {
  struct Golden: Decodable {
    struct Filter: Decodable {
      var corner: Double
      var rate: Double
      var b: [Double]
      var a: [Double]
      var output: [Double]
    }
    struct Matrix: Decodable {
      var order: Int
      var matrix: [Double]
      var values: [Double]
      var vectors: [[Double]]
    }
    var input: [Double]
    var filters: [Filter]
    var matrices: [Matrix]
    var wave: [Double]
    var spread: Double
    var maxima: [Int]
  }

  let golden: Golden

  init() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("golden/golden.json")
    golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
  }

  @Test func butterworthCoefficientsEqualSciPy() {
    for filter in golden.filters {
      let own = LowPassCoefficients(cornerHz: filter.corner, rateHz: filter.rate)
      for (a, b) in zip([own.b0, own.b1, own.b2], filter.b) { #expect(abs(a - b) < 1e-14) }
      for (a, b) in zip([1, own.a1, own.a2], filter.a) { #expect(abs(a - b) < 1e-13) }
    }
  }

  @Test func doublePrecisionFilterMatchesSciPy() {
    for filter in golden.filters {
      var low = LowPassFilter4(
        LowPassCoefficients(cornerHz: filter.corner, rateHz: filter.rate))
      for (x, y) in zip(golden.input, filter.output) {
        let output = low(SIMD4(x, -x, 2 * x, 0))
        #expect(abs(output.x - y) < 1e-9)
        #expect(abs(output.y + y) < 1e-9)
      }
    }
  }

  @Test func singlePrecisionBankMatchesSciPy() {
    let input = golden.input.map { SIMD8<Float>(repeating: Float($0)) }
    var output = input
    for filter in golden.filters where filter.rate == 25 {
      input.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          LowPassBank.run(
            LowPassCoefficients(cornerHz: filter.corner, rateHz: filter.rate), input,
            into: output)
        }
      }
      for (x, y) in zip(output, filter.output) { #expect(abs(Double(x[3]) - y) < 2e-4) }
    }
  }

  @Test func principalAxesEqualNumPy() {
    for matrix in golden.matrices {
      let (values, vectors) = PrincipalAxes.of(matrix.matrix, order: matrix.order)
      for (a, b) in zip(values, matrix.values) { #expect(abs(a - b) < 1e-9) }
      for (a, b) in zip(vectors, matrix.vectors) {
        for (x, y) in zip(a, b) { #expect(abs(x - y) < 1e-6) }
      }
    }
  }

  @Test func turningPointsAreProminentPeaks() {
    let wave = golden.wave.map { SIMD8<Float>(repeating: Float($0)) }
    var histogram: [Int32] = []
    wave.withUnsafeBufferPointer { wave in
      var extremes = BlockExtremes()
      extremes.read(wave)
      let spread = TurningPoints.spread(
        of: wave, extremes: extremes, lanes: 6, histogram: &histogram)
      #expect(abs(Double(spread[2]) - golden.spread) < 0.05 * golden.spread)
      let turns = TurningPoints.ofLanes(6, of: wave, hysteresis: 0.35 * spread)
      for lane in turns { #expect(lane.maxima == golden.maxima) }
    }
  }

  @Test func similarityOfEqualShapesIsOne() {
    let components: [SIMD4<Float>] = (0..<120).flatMap { (i: Int) -> [SIMD4<Float>] in
      let angle = Double(i) * 2 * Double.pi / 30
      return [SIMD4<Float>(Float(sin(angle)), Float(cos(angle)), 0, 0), SIMD4()]
    }
    let grid = PhaseGrid(components, framesPerStep: 2)
    let segments = (0..<3).map { Segment(start: Double($0) * 15, end: Double($0 + 1) * 15) }
    for similarity in RepShapes(of: segments, on: grid, phases: 16).similarities() {
      #expect(similarity > 0.999)
    }
  }
}
