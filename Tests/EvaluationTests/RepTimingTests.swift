import Motion
import Testing

@testable import Evaluation

@Suite struct RepTimingTests {
  private func rep(_ start: Double, _ end: Double) -> CountedRep {
    CountedRep(start: start, end: end, confidence: 1)
  }

  @Test func pairsByOverlap() {
    let timing = RepTiming(
      found: [rep(0.1, 2.2), rep(2.2, 4), rep(10, 12)], truth: [0...2, 2...4, 5...7])
    #expect(timing.startErrors.map { ($0 * 10).rounded() / 10 }.sorted() == [0.1, 0.2])
    #expect(timing.missed == 1)
    #expect(timing.invented == 1)
  }

  @Test func eachDetectedRepMatchesOneTrueRep() {
    let timing = RepTiming(found: [rep(0, 4)], truth: [0...2, 2...4])
    #expect(timing.missed == 1)
    #expect(timing.invented == 0)
  }
}
