import Foundation
import Testing

@testable import RepDetection

/// The features of segmentations against NumPy (golden/make_features.py).
struct SegmentationFeaturesTests {
  struct Golden: Decodable {
    struct Entry: Decodable {
      var first: Int
      var last: Int
      var isFilled: Bool
      var count: Int
      var features: [Double]
    }
    var framesPerStep: Int
    var components: [[Float]]
    var gravity: [[Float]]
    var rotation: [[Float]]
    var segments: [[Double]]
    var kinds: [UInt8]
    var segmentations: [Entry]
  }

  @Test func areThoseOfNumPy() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("golden/features.json")
    let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
    // A grid whose every step is the mean of equal frames.
    let q = golden.framesPerStep
    let components = golden.components.flatMap { row in
      let step = [
        SIMD4(row[0], row[1], row[2], row[3]), SIMD4(row[4], row[5], row[6], row[7]),
      ]
      return (0..<q).flatMap { _ in step }
    }
    let frames = zip(golden.gravity, golden.rotation).map {
      MotionFrame(
        gravity: SIMD4($0[0], $0[1], $0[2], 0), rotation: SIMD4($1[0], $1[1], $1[2], 0),
        userAcceleration: .zero)
    }
    let run = CandidateRun(
      framesPerStep: q, segments: golden.segments.map { Segment(start: $0[0], end: $0[1]) },
      kinds: try golden.kinds.map { try #require(CandidateRun.Kind(rawValue: $0)) })
    var describer = RunDescriber(
      frames[...], resolution: ShapeResolution(stepsPerRep: 14, phases: 16), isUnderWay: false)
    var result: [ScoredSegmentation] = []
    describer.describe(
      run, index: 0, on: PhaseGrid(components, framesPerStep: q), into: &result)
    #expect(result.count == golden.segmentations.count)
    for (own, expected) in zip(result, golden.segmentations) {
      #expect(own.first == expected.first && own.last == expected.last)
      #expect(own.isFilled == expected.isFilled && own.count == expected.count)
      for (lane, value) in expected.features.enumerated() {
        #expect(
          abs(Double(own.features[lane]) - value) < 1e-3 * max(1, abs(value)),
          "\(SegmentationFeatures.names[lane]) of \(own.first) to \(own.last)")
      }
    }
  }
}
