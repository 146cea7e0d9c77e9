import Foundation
import SignalProcessing
import Testing

@testable import MotionFrames
@testable import RepDetection
@testable import TemplateSearch

/// The features of segmentations, compared with NumPy (golden/make_features.py).
struct SegmentationFeaturesTests {
  struct Golden: Decodable {
    struct Entry: Decodable {
      var first: Int
      var last: Int
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

  @Test func featuresEqualNumPy() throws {
    let golden = try Self.golden()
    let result = try Self.segmentations(of: golden)
    #expect(result.count == golden.segmentations.count)
    for (own, expected) in zip(result, golden.segmentations) {
      #expect(own.first == expected.first && own.last == expected.last)
      #expect(own.count == expected.count)
      for (lane, value) in expected.features.enumerated() {
        #expect(
          abs(Double(own.features[lane]) - value) < 1e-3 * max(1, abs(value)),
          "\(SegmentationFeatures.names[lane]) of \(own.first) to \(own.last)")
      }
    }
  }

  /// Motion after the last rep of a set under way counts as the begin of another rep, not as half a rep.
  @Test func startedRepCountsForItsSegmentation() throws {
    let golden = try Self.golden()
    let steps = Double(golden.components.count)
    var extended = 0
    var halved = 0
    for (over, underWay) in zip(
      try Self.segmentations(of: golden), try Self.segmentations(of: golden, isOngoing: true))
    {
      let reps = (over.first...over.last).map { golden.segments[$0][1] - golden.segments[$0][0] }
      let begun = min(max(steps - golden.segments[over.last][1], 0), median(reps))
      let explained = SegmentationFeatures.explained
      let factor = Double(underWay.features[explained] / over.features[explained])
      #expect(abs(factor - 1 - begun / reps.reduce(0, +)) < 1e-4)
      if factor > 1.01 { extended += 1 }
      let halves = SegmentationFeatures.halves
      #expect(underWay.features[halves] <= over.features[halves])
      if underWay.features[halves] < over.features[halves] { halved += 1 }
      for lane in 0..<8 where lane != explained && lane != halves {
        #expect(underWay.features[lane] == over.features[lane])
      }
    }
    #expect(extended > 0 && halved > 0)
  }

  private static func golden() throws -> Golden {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("golden/features.json")
    return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
  }

  private static func segmentations(
    of golden: Golden, isOngoing: Bool = false
  ) throws -> [ScoredSegmentation] {
    // Every step of this grid is the mean of equal frames.
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
    var run = CandidateRun(
      framesPerStep: q, segments: golden.segments.map { Segment(start: $0[0], end: $0[1]) },
      kinds: try golden.kinds.map { try #require(CandidateRun.Kind(rawValue: $0)) })
    var describer = RunDescriber(
      frames[...], isOngoing: isOngoing, configuration: DetectorConfiguration())
    var result: [ScoredSegmentation] = []
    describer.describe(
      &run, index: 0, on: PhaseGrid(components, framesPerStep: q), into: &result)
    return result
  }
}
