import Motion
import MotionSynthesis
import Testing

@testable import RepDetection

/// The events that turn an announced count into that of other reps.
struct CountChangeTests {
  @Test(
    arguments: [
      // announced, reps, reps after all announced ones; expected correction, expected news
      (0, 0, 0, nil, 0..<0),
      (0, 3, 3, nil, 0..<3),
      (5, 5, 0, nil, 5..<5),
      (5, 5, 2, nil, 5..<5),
      (5, 6, 1, nil, 5..<6),
      (5, 6, 3, nil, 5..<6),
      (5, 6, 0, 6, 6..<6),
      (5, 8, 1, 7, 7..<8),
      (5, 4, 0, 4, 4..<4),
      (5, 4, 4, 4, 4..<4),
      (5, 0, 0, 0, 0..<0),
    ] as [(Int, Int, Int, Int?, Range<Int>)])
  func emitsTheFewestEvents(
    announced: Int, count: Int, following: Int, correction: Int?, news: Range<Int>
  ) {
    let change = CountChange(from: announced, to: count, following: following)
    #expect(change.correction == correction)
    #expect(change.news == news)
  }

  @Test func laterRepsAreAnnounced() {
    let reps = (0..<4).map { CountedRep(start: Double($0), end: Double($0) + 0.9, confidence: 1) }
    func change(from announced: Int, until end: Double) -> [String] {
      let change = CountChange(from: announced, until: end, to: reps)
      return [change.correction.map { "to \($0)" }].compactMap { $0 }
        + change.announcements(of: reps).map { "\($0.number): \($0.rep.start)" }
    }
    #expect(change(from: 2, until: 1.9) == ["3: 2.0", "4: 3.0"])
    #expect(change(from: 2, until: 2.9) == ["to 3", "4: 3.0"])
    // All announced reps were withdrawn.
    #expect(change(from: 0, until: 2.9) == ["1: 0.0", "2: 1.0", "3: 2.0", "4: 3.0"])
    // Announced reps do not overlap.
    #expect(change(from: 2, until: 2.25) == ["3: 2.25", "4: 3.0"])
  }

  /// In a declared set the announced numbers add up to the final count, with at most one correction at a
  /// time.
  @Test func announcedNumbersAddUp() throws {
    let corpus = SyntheticCorpus(seed: 7, count: 60)
    var reps = 0
    var corrections = 0
    for index in 0..<60 {
      let made = try RecordingSynthesizer(corpus[index]).make()
      var detector = RepDetector(findsSets: false)
      var count = 0
      var lastCorrection = -Double.infinity
      let take = { (event: DetectionEvent) in
        switch event {
        case .rep(_, let next, _):
          #expect(next == count + 1, "\(made.name)")
          count = next
          reps += 1
        case .repCorrected(let time, let next):
          #expect(next != count && time > lastCorrection, "\(made.name): \(next) at \(time)")
          count = next
          lastCorrection = time
          corrections += 1
        case .setEnded(_, let set): #expect(set.reps.count == count, "\(made.name)")
        default: break
        }
      }
      let samples = made.recording.samples
      detector.beginSet(onEvent: take)
      for start in stride(from: 0, to: samples.count, by: 25) {
        detector.append(samples[start..<min(start + 25, samples.count)], onEvent: take)
      }
      detector.endSet(onEvent: take)
    }
    #expect(reps > 500)
    #expect(corrections > 10)
  }
}
