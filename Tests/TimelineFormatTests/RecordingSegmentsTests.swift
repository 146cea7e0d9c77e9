import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import TimelineFormat

struct RecordingSegmentsTests {
  private func rows(_ sets: [CountedSet], samples: MotionBatch) -> [RecordingSegments.Segment] {
    RecordingSegments(of: samples, sets: sets).segments
  }

  @Test func declaredSetOwnsTheWholeRecording() {
    let samples = Example.samples()
    #expect(
      rows([Example.set(.declared, 120, 130, reps: 3)], samples: samples)
        == [.init(rows: 0..<3000, set: 0)])
  }

  @Test func detectedSetsExtendTwoSecondsOrHalfway() {
    let samples = Example.samples()
    let sets = [
      Example.set(.detected, 110, 120, reps: 3), Example.set(.detected, 121, 125, reps: 3),
    ]
    #expect(
      rows(sets, samples: samples) == [
        .init(rows: 0..<400, set: nil), .init(rows: 400..<1026, set: 0),
        .init(rows: 1026..<1351, set: 1), .init(rows: 1351..<3000, set: nil),
      ])
  }

  @Test func lastIndexAtMostAValue() {
    let numbers = [1.0, 2, 2, 5]
    for (value, index) in [(0.5, nil), (1, 0), (2, 2), (4.9, 2), (5, 3), (9, 3)] as [(_, Int?)] {
      #expect(numbers.lastIndex(atMost: value) == index)
    }
    #expect([].lastIndex(atMost: 1) == nil && numbers.lastIndex(atMost: .nan) == nil)
  }

  @Test func everyRowIsInOneSegmentInOrder() {
    var generator = RandomSource(seed: 2)
    for round in 0..<500 {
      var samples = Example.samples(seconds: 20)
      if round % 3 == 0 { samples.units.time = .milliseconds }
      let sets = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        let start = Double.random(in: 80...130, using: &generator)
        let end = round % 7 == 0 ? Double.nan : start + .random(in: -5...20, using: &generator)
        return CountedSet(cause: .detected, start: start, end: end, reps: [], confidence: 0)
      }
      let segments = rows(sets, samples: samples)
      var row = 0
      for segment in segments {
        #expect(segment.rows.lowerBound == row)
        row = segment.rows.upperBound
      }
      #expect(row == samples.count)
      #expect(segments.compactMap(\.set) == Array(sets.indices))
    }
  }
}
