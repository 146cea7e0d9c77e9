import Motion
import MotionSynthesis
import RepDetection
import TestSupport
import Testing

/// Rest-pause and drop sets are one set each; other sets are not joined.
struct SetJoiningTests {
  @Test func boutsWithShortRestsAreOneSet() throws {
    let samples = Self.bouts([8, 4, 3], restSeconds: 10)
    let set = try #require(Self.only(RepDetector.detectSets(in: samples)))
    #expect(set.reps.count == 15)
    let parts = RepDetector.detectSets(in: samples, configuration: Self.single)
    #expect(parts.map(\.reps.count) == [8, 4, 3])
    let reps = parts.flatMap(\.reps)
    #expect(set.reps.map(\.start) == reps.map(\.start))
    #expect(set.reps.map(\.end) == reps.map(\.end))
    // The count is right if the counts of all bouts are. Joined bouts make one another more probable.
    let product = parts.reduce(1) { $0 * $1.confidence }
    #expect((product..<product + 0.05).contains(set.confidence))
  }

  @Test func dropSetIsOneSet() throws {
    // The weight is put down, changed, and picked up.
    let change = SyntheticMotion.Swing(seconds: 1.3, pause: 0.6, range: 0.35, roll: 1.1)
    var swings = Self.reps(8, pauseAfter: 1.5)
    swings += [change] + Self.reps(5, range: 1.7, seconds: 1.8, pauseAfter: 1.5)
    swings += [change] + Self.reps(4, range: 1.6, seconds: 1.8, pauseAfter: 0.4)
    swings[8].pause = 3
    swings[14].pause = 3
    let samples = SyntheticMotion.swings(swings).samples
    let set = try #require(Self.only(RepDetector.detectSets(in: samples)))
    // Putting the weight down may be mistaken for a rep.
    #expect(abs(set.reps.count - 17) <= 1)
  }

  @Test func twoRepsAfterARestAreJoined() {
    let samples = Self.bouts([7, 2, 2], restSeconds: 9)
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [11])
  }

  @Test func twoRepsAreJoinedAfterTheConfiguredRest() {
    var configuration = DetectorConfiguration()
    configuration.longestRestWithinSetSeconds = 60
    let samples = SyntheticMotion.swings(
      Self.reps(8, pauseAfter: 25) + Self.reps(2, pauseAfter: 75)
    ).samples
    let sets = RepDetector.detectSets(in: samples, configuration: configuration)
    #expect(sets.map(\.reps.count) == [10])
  }

  @Test func aLongerRestEndsTheSet() {
    let samples = Self.bouts([8, 5], restSeconds: 24)
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [8, 5])
  }

  @Test func anotherMovementIsAnotherSet() {
    let other = SyntheticMotion.Swing(seconds: 1.6, pause: 0.3, range: 0.5, roll: 1.9)
    let swings = Self.reps(8, pauseAfter: 9) + Array(repeating: other, count: 9)
    let samples = SyntheticMotion.swings(swings).samples
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [8, 9])
    let events = RepDetector.events(of: samples, chunk: 25)
    expectOrder(of: events)
    // The first set has ended before the other is announced.
    let names = events.compactMap { event -> String? in
      switch event {
      case .setStarted: "started"
      case .setEnded: "ended"
      case .setCancelled: "cancelled"
      default: nil
      }
    }
    #expect(names == ["started", "ended", "started", "ended"])
  }

  @Test func countContinuesAcrossTheRest() throws {
    let events = RepDetector.events(of: Self.bouts([8, 4, 5], restSeconds: 11), chunk: 25)
    expectOrder(of: events)
    var counts: [Int] = []
    var phases: [WorkoutPhase] = []
    for event in events {
      if case .rep(_, let count, _) = event { counts.append(count) }
      if case .phase(_, _, let to) = event { phases.append(to) }
    }
    #expect(counts == Array(1...17))
    #expect(phases == [.execution, .rest, .execution, .rest, .execution, .rest])
    #expect(events.count { if case .setStarted = $0 { true } else { false } } == 1)
    guard case .setEnded(let time, let set)? = events.last else {
      Issue.record("the set did not end")
      return
    }
    #expect(set.reps.count == 17)
    // The set ends when no bout can follow any more, or at the end of the signal.
    #expect(time - set.end > 11)
  }

  @Test func aSetEndsWhenNoBoutCanFollow() throws {
    let samples = SyntheticMotion.curls(reps: 8, restSeconds: 40).samples
    let limit = DetectorConfiguration().longestRestWithinSetSeconds
    guard
      case .setEnded(let time, let set)? = RepDetector.events(of: samples, chunk: 10).first(where: {
        if case .setEnded = $0 { true } else { false }
      })
    else {
      Issue.record("the set did not end")
      return
    }
    #expect(time - set.end > limit)
    #expect(time - set.end < limit + 6)
  }

  @Test(arguments: [1, 7, 333])
  func eventsDoNotDependOnChunking(size: Int) {
    let samples = Self.bouts([6, 2, 4], restSeconds: 8)
    #expect(
      RepDetector.events(of: samples, chunk: samples.count)
        == RepDetector.events(of: samples, chunk: size))
  }

  @Test func copyInTheRestIsIndependent() {
    let samples = Self.bouts([6, 4], restSeconds: 10)
    // Eight seconds after the sixth rep.
    let cut = Int((12 + 6 * 2.3 + 8) * 50)
    var detector = RepDetector()
    var first: [DetectionEvent] = []
    detector.append(samples[0..<cut]) { first.append($0) }
    var second = first
    var copy = detector
    detector.append(samples[cut..<samples.count]) { first.append($0) }
    detector.finish { first.append($0) }
    copy.append(samples[cut..<samples.count]) { second.append($0) }
    copy.finish { second.append($0) }
    #expect(first == second)
    guard case .setEnded(_, let set)? = first.last else {
      Issue.record("the set did not end")
      return
    }
    #expect(set.reps.count == 10)
  }

  @Test func joiningDoesNotAffectDeclaredSets() {
    let samples = Self.bouts([6, 4, 2], restSeconds: 9)
    func events(_ configuration: DetectorConfiguration) -> [DetectionEvent] {
      var detector = RepDetector(configuration: configuration)
      var events: [DetectionEvent] = []
      detector.beginSet { events.append($0) }
      detector.append(samples) { events.append($0) }
      detector.endSet { events.append($0) }
      return events
    }
    #expect(events(DetectorConfiguration()) == events(Self.single))
  }

  @Test func manyBoutsTakeLittleMemory() {
    let samples = Self.bouts(Array(repeating: 5, count: 14), restSeconds: 12)
    var detector = RepDetector()
    var ended: [Int] = []
    for start in stride(from: 0, to: samples.count, by: 50) {
      detector.append(samples[start..<min(start + 50, samples.count)]) { event in
        if case .setEnded(_, let set) = event { ended.append(set.reps.count) }
      }
      #expect(detector.snapshot().count <= 65_536 + detector.approximateSetByteCount)
      #expect(detector.approximateSetByteCount <= 65_536)
    }
    detector.finish { event in
      if case .setEnded(_, let set) = event { ended.append(set.reps.count) }
    }
    #expect(ended == [70])
  }

  /// Recordings of a whole body with fidgeting in the rests, re-racking, fatigue and partial reps.
  @Test(arguments: [SetStyle.restPause, .drop])
  func synthesizedSetsAreJoined(style: SetStyle) throws {
    var exact = 0
    var apart = 0
    for family in [ExerciseFamily.curl, .pushUp, .pulldown, .squat, .overheadPress] {
      for seed in 0..<2 as Range<UInt64> {
        var options = SynthesisOptions(
          seed: 70 + seed, exercise: family, sets: 1, rate: .constant(50))
        options.setStyle = style
        options.difficulty = .ordinary
        let recording = try RecordingSynthesizer(options).make()
        let wanted = try #require(recording.truth.first).reps.count
        func counts(_ configuration: DetectorConfiguration) -> [Int] {
          RepDetector.detectSets(in: recording.recording.samples, configuration: configuration)
            .map(\.reps.count)
        }
        exact += counts(DetectorConfiguration()).contains(wanted) ? 1 : 0
        apart += counts(Self.single).contains(wanted) ? 1 : 0
      }
    }
    #expect(exact >= 6)
    #expect(apart <= 2)
  }

  // MARK: - Helpers

  /// A configuration in which every bout is a set.
  private static var single: DetectorConfiguration {
    var configuration = DetectorConfiguration()
    configuration.longestRestWithinSetSeconds = 0
    return configuration
  }

  private static func reps(
    _ count: Int, range: Double = 1.8, seconds: Double = 1.9, pauseAfter: Double
  ) -> [SyntheticMotion.Swing] {
    var swings = Array(
      repeating: SyntheticMotion.Swing(seconds: seconds, pause: 0.4, range: range), count: count)
    swings[count - 1].pause = pauseAfter
    return swings
  }

  private static func bouts(_ counts: [Int], restSeconds: Double) -> MotionBatch {
    SyntheticMotion.swings(counts.flatMap { reps($0, pauseAfter: restSeconds) }).samples
  }

  private static func only(_ sets: [CountedSet]) -> CountedSet? { sets.count == 1 ? sets[0] : nil }
}
