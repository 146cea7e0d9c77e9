import Motion
import MotionSynthesis
import TestSupport
import Testing

@testable import MotionFrames
@testable import RepDetection

/// The live count during a set, compared with the final count.
struct LiveCountTests {
  /// Fraction of observations in which the live count equals the number of final reps that have ended, with
  /// up to half a second of delay. There are four observations per second, from the announcement of the set.
  private struct Agreement {
    var checks = 0
    var equal = 0
    /// Delay from a rep's end to its event, in seconds.
    var delays: [Double] = []

    var share: Double { Double(equal) / Double(max(checks, 1)) }

    mutating func follow(_ samples: MotionBatch) {
      var detector = RepDetector()
      var announced: Double?
      var counts: [(time: Double, count: Int)] = []
      let take = { (event: DetectionEvent) in
        switch event {
        case .setStarted(let time, _, _):
          announced = time
          counts = [(time, 0)]
        case .rep(let time, let count, let rep):
          counts.append((time, count))
          if let announced, time > announced { delays.append(time - rep.end) }
        case .repCorrected(let time, let count): counts.append((time, count))
        case .setCancelled: announced = nil
        case .setEnded(_, let set):
          guard let announced else { return }
          for time in stride(from: announced + 0.01, to: set.end + 0.5, by: 0.25) {
            let count = counts.last { $0.time <= time }?.count ?? 0
            checks += 1
            if count <= set.reps.count(where: { $0.end <= time }),
              count >= set.reps.count(where: { $0.end <= time - 0.5 })
            {
              equal += 1
            }
          }
        default: break
        }
      }
      for start in stride(from: 0, to: samples.count, by: 10) {
        detector.append(samples[start..<min(start + 10, samples.count)], onEvent: take)
      }
      detector.finish(onEvent: take)
    }
  }

  @Test func liveRepsEqualTheFinalReps() throws {
    var agreement = Agreement()
    for family in [ExerciseFamily.curl, .lateralRaise, .overheadPress, .pushUp, .squat, .row] {
      for seed in 0..<4 as Range<UInt64> {
        let options = SynthesisOptions(
          seed: 300 + seed, exercise: family, sets: 1, rate: .constant(50))
        agreement.follow(try RecordingSynthesizer(options).make().recording.samples)
      }
    }
    try #require(agreement.checks > 1500)
    #expect(agreement.share > 0.8, "\(agreement.share)")
    let soon = agreement.delays.count { $0 <= 0.5 }
    #expect(
      Double(soon) > 0.85 * Double(agreement.delays.count), "\(soon) of \(agreement.delays.count)")
  }

  /// Each live rep has a confidence: the probability that it will be one of the final reps.
  @Test(arguments: [false, true])
  func announcedRepHasItsConfidence(isDeclared: Bool) throws {
    var told: [(confidence: Double, isRep: Bool)] = []
    for family in [ExerciseFamily.curl, .lateralRaise, .overheadPress, .pushUp, .squat, .row] {
      for seed in 0..<4 as Range<UInt64> {
        let options = SynthesisOptions(
          seed: 400 + seed, exercise: family, difficulty: .hard, sets: 1, rate: .constant(50))
        let made = try RecordingSynthesizer(options).make()
        var samples = made.recording.samples
        if isDeclared, let set = made.truth.first {
          let rows = samples.times.indices.filter {
            (set.start - 1...set.end + 1).contains(samples.times[$0])
          }
          samples = samples[(rows.first ?? 0)..<(rows.last ?? 0)]
        }
        var detector = RepDetector(findsSets: !isDeclared)
        var reps: [CountedRep] = []
        var final: [CountedRep] = []
        let take = { (event: DetectionEvent) in
          switch event {
          case .rep(_, _, let rep): reps.append(rep)
          case .setEnded(_, let set): final += set.reps
          default: break
          }
        }
        if isDeclared { detector.beginSet(onEvent: take) }
        for start in stride(from: 0, to: samples.count, by: 50) {
          detector.append(samples[start..<min(start + 50, samples.count)], onEvent: take)
        }
        detector.finish(onEvent: take)
        for rep in reps {
          let middle = (rep.start + rep.end) / 2
          told.append((rep.confidence, final.contains { $0.start <= middle && middle <= $0.end }))
        }
      }
    }
    let mean = told.reduce(0) { $0 + $1.confidence } / Double(told.count)
    let share = Double(told.count(where: \.isRep)) / Double(told.count)
    #expect(abs(mean - share) < 0.1, "\(mean), \(share)")
    func isRep(_ range: ClosedRange<Double>) -> Double {
      let some = told.filter { range.contains($0.confidence) }
      return Double(some.count(where: \.isRep)) / Double(max(some.count, 1))
    }
    #expect(isRep(0.95...1) > 0.9)
    #expect(isRep(0...0.75) < isRep(0.95...1) - 0.05)
  }

  /// A detected set is announced as its second rep begins, unless the caller wants two reps first.
  @Test func aSetIsAnnouncedFromItsFirstReps() throws {
    let recording = SyntheticMotion.curls(reps: 8, period: 3, restSeconds: 8)
    /// Returns the delay from the first rep's begin to the announcement, in seconds, and the emitted counts.
    func shown(withFirstRep: Bool) throws -> (delay: Double, counts: [Int]) {
      var configuration = DetectorConfiguration()
      configuration.announcesWithFirstRep = withFirstRep
      var detector = RepDetector(configuration: configuration)
      var announced: Double?
      var counts: [Int] = []
      let take = { (event: DetectionEvent) in
        switch event {
        case .setStarted(let time, _, _):
          #expect(announced == nil)
          announced = time
        case .rep(_, let count, _), .repCorrected(_, let count): counts.append(count)
        case .setCancelled: Issue.record("cancelled")
        default: break
        }
      }
      for start in stride(from: 0, to: recording.samples.count, by: 10) {
        detector.append(
          recording.samples[start..<min(start + 10, recording.samples.count)], onEvent: take)
      }
      detector.finish(onEvent: take)
      return (try #require(announced) - recording.start, counts)
    }
    let early = try shown(withFirstRep: true)
    #expect(early.delay > 3 && early.delay < 5, "\(early.delay)")
    #expect(early.counts == Array(1...8))
    let late = try shown(withFirstRep: false)
    #expect(late.delay > 5.5 && late.delay < 7.5, "\(late.delay)")
  }

  /// A movement before a set may have the same tempo and be mistaken for its begin. The count still
  /// continues.
  @Test func countContinuesAfterAnotherMovement() throws {
    var corpus = SyntheticCorpus(seed: 1, count: 3)
    corpus.exercise = .curl
    let made = try RecordingSynthesizer(corpus[2]).make()
    let truth = try #require(made.truth.last)
    try #require(truth.reps.count > 8)
    var counts: [(time: Double, count: Int)] = []
    var detector = RepDetector()
    detector.append(made.recording.samples) {
      switch $0 {
      case .setStarted(let time, _, _): counts.append((time, 0))
      case .rep(let time, let count, _), .repCorrected(let time, let count):
        counts.append((time, count))
      default: break
      }
    }
    for (done, rep) in truth.reps.enumerated().dropFirst(3).dropLast(3) {
      let shown = counts.last { $0.time <= rep.end + 1 }?.count ?? 0
      #expect((shown - done - 1).magnitude <= 1)
    }
  }

  /// A set that was announced from one rep is canceled if no more reps follow.
  @Test func movementThatStopsIsCancelled() throws {
    // Two curls, the second of which is broken off.
    let two = SyntheticMotion.curls(reps: 2, period: 3, restSeconds: 14)
    let samples = two.samples
    let stop = try #require(samples.times.firstIndex { $0 > two.start + 5 })
    var events: [DetectionEvent] = []
    var detector = RepDetector()
    detector.append(samples[0..<stop]) { events.append($0) }
    var rest = samples[stop..<samples.count]
    rest = rest.selecting(rest.times.indices.filter { rest.times[$0] > two.start + 6.5 })
    detector.append(rest) { events.append($0) }
    #expect(
      events.contains { if case .setStarted = $0 { true } else { false } })
    let end = try #require(events.last)
    if case .setCancelled(let time) = end {
      #expect(time < two.start + 14)
    } else {
      Issue.record("\(events)")
    }
    detector.finish { _ in Issue.record("nothing is left to say") }
  }

  /// Announced reps never overlap, except with those that a correction withdrew. In these sets, some live
  /// ends lie after the next begin.
  @Test func announcedRepsDoNotOverlap() throws {
    let corpus = SyntheticCorpus(seed: 5, count: 100)
    var announced = 0
    for index in [9, 10, 32, 37, 43, 61, 67, 75] {
      let made = try RecordingSynthesizer(corpus[index]).make()
      var detector = RepDetector()
      var ends: [Double] = []
      let take = { (event: DetectionEvent) in
        switch event {
        case .setStarted: ends = []
        case .repCorrected(_, let count): ends = Array(ends.prefix(count))
        case .rep(_, _, let rep):
          announced += 1
          #expect(rep.start >= ends.last ?? 0, "\(made.name): \(rep) after \(ends)")
          #expect(rep.end >= rep.start)
          ends.append(rep.end)
        default: break
        }
      }
      let samples = made.recording.samples
      for start in stride(from: 0, to: samples.count, by: 10) {
        detector.append(samples[start..<min(start + 10, samples.count)], onEvent: take)
      }
      detector.finish(onEvent: take)
    }
    #expect(announced > 100)
  }

  /// The segmentation of a set under way must not depend on the progress of the current rep. The visible part
  /// of it, together with the way to the starting posture, could form one more rep at another phase. (At the
  /// stillest phase the last rep may not have ended yet.)
  @Test func incompleteRepIsNotCounted() throws {
    var right = 0
    var all = 0
    for family in [ExerciseFamily.curl, .lateralRaise, .overheadPress, .pushUp, .squat, .row] {
      for seed in 1...4 as ClosedRange<UInt64> {
        let options = SynthesisOptions(
          seed: seed, exercise: family, sets: 1, reps: 8, rate: .constant(50))
        let made = try RecordingSynthesizer(options).make()
        let truth = try #require(made.truth.first)
        let frames = Self.frames(of: made.recording.samples)
        for ended in 3...6 {
          let next = truth.reps[ended]
          let period = next.end - next.start
          for share in [0.5, 0.7, 0.8] {
            let now = next.start + share * period
            let rows = try #require(frames.rows(from: truth.start - period, to: now))
            let tracked = LiveTracker.TrackedTemplate(
              frames, rows: rows, configuration: DetectorConfiguration())
            all += 1
            if tracked?.reps.count(where: { $0.end <= now - 0.24 }) == ended { right += 1 }
          }
        }
      }
    }
    #expect(Double(right) > 0.85 * Double(all), "\(right) of \(all)")
  }

  private static func frames(of samples: MotionBatch) -> FrameStore {
    var front = FrontEnd()
    var frames: [TimedFrame] = []
    front.append(samples, rows: 0..<samples.count, phase: nil, into: &frames)
    front.finish(into: &frames)
    return FrameStore(frames)
  }
}
