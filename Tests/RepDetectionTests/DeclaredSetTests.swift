import Motion
import MotionSynthesis
import RepDetection
import TestSupport
import Testing

/// A set whose begin and end the caller declares, in a running signal.
struct DeclaredSetTests {
  /// Rest, eight curls, rest. The set is declared from two seconds before the reps to two seconds after.
  private let recording = SyntheticMotion.curls(reps: 8)

  private var rows: (begin: Int, end: Int) {
    (Int((recording.start - 2) * 50), Int((recording.end + 2) * 50))
  }

  private func events(
    chunk: Int, phase: WorkoutPhase? = nil, hints: SetHints? = nil
  ) -> [DetectionEvent] {
    let (begin, end) = rows
    var detector = RepDetector(findsSets: false)
    var events: [DetectionEvent] = []
    func feed(_ rows: Range<Int>) {
      for start in stride(from: rows.lowerBound, to: rows.upperBound, by: chunk) {
        let part = recording.samples[start..<min(start + chunk, rows.upperBound)]
        detector.append(part, phase: phase) { events.append($0) }
      }
    }
    feed(0..<begin)
    detector.beginSet(hints: hints) { events.append($0) }
    #expect(detector.isInDeclaredSet)
    feed(begin..<end)
    detector.endSet { events.append($0) }
    #expect(!detector.isInDeclaredSet)
    feed(end..<recording.samples.count)
    detector.finish { events.append($0) }
    return events
  }

  @Test(arguments: [1, 13, 100, 5000])
  func finalAnswerEqualsCountingAtOnce(chunk: Int) throws {
    let (begin, end) = rows
    let whole = RepDetector.countSet(in: recording.samples[begin..<end])
    let all = events(chunk: chunk)
    #expect(all.map(\.setEnded).compactMap { $0 } == [whole])
    #expect(whole.reps.count == 8)
    #expect(all == events(chunk: 7))
    let started = all.compactMap(\.declaredStart)
    #expect(started == [Double(begin) / 50])
  }

  @Test func countsLive() {
    var counts: [Int] = []
    var phases: [WorkoutPhase] = []
    for event in events(chunk: 50) {
      switch event {
      case .rep(let time, let count, let rep):
        counts.append(count)
        #expect(rep.end <= time)
      case .phase(_, let from, let to):
        #expect(from != to)
        phases.append(to)
      case .setEnded: #expect(counts == Array(1...8))
      case .setCancelled: Issue.record("a declared set was cancelled")
      default: break
      }
    }
    #expect(phases == [.execution, .rest])
  }

  @Test func restNeverCounts() {
    let all = events(chunk: 50, phase: .rest)
    #expect(all.compactMap(\.setEnded).map(\.reps.count) == [0])
    #expect(all.compactMap(\.declaredStart).count == 1)
    #expect(all.count == 2)
  }

  /// A person may declare a set and do nothing. Noise and gestures are counted, but with little confidence.
  @Test func declaredSetWithoutRepsHasLowConfidence() throws {
    let confidences = try (1...12).map { (seed: UInt64) in
      let options = SynthesisOptions(
        seed: seed, exercise: .curl, sets: 1, reps: 8, rate: .constant(50))
      let made = try RecordingSynthesizer(options).make()
      let start = try #require(made.truth.first).start
      let samples = made.recording.samples
      let rows = samples.times.indices.filter {
        samples.times[$0] >= start - 8 && samples.times[$0] <= start - 2
      }
      return RepDetector.countSet(in: samples.selecting(rows)).confidence
    }
    #expect(confidences.allSatisfy { $0 < 0.95 }, "\(confidences)")
    #expect(confidences.reduce(0, +) < 0.7 * Double(confidences.count), "\(confidences)")
  }

  /// Samples with invalid times do not determine the start and end of a set.
  @Test func invalidTimesDoNotBoundTheSet() throws {
    var samples = recording.samples
    let last = try #require(samples.times.last)
    samples[.time][0] = 1e300
    samples[.time][samples.count - 1] = 3
    var detector = RepDetector()
    var events: [DetectionEvent] = []
    detector.beginSet { events.append($0) }
    detector.append(samples) { events.append($0) }
    detector.endSet { events.append($0) }
    #expect(events.first?.time == samples.times[1])
    #expect(try #require(events.last).time > last - 0.1)
  }

  @Test func setWithoutSamplesHasOneResult() {
    var detector = RepDetector()
    var events: [DetectionEvent] = []
    detector.endSet { events.append($0) }
    #expect(events.isEmpty)
    detector.beginSet { events.append($0) }
    detector.endSet { events.append($0) }
    #expect(events.count == 2)
    #expect(events.compactMap(\.declaredStart).count == 1)
    #expect(events.compactMap(\.setEnded).map(\.reps.count) == [0])
  }

  @Test func declaringASetFinalizesTheDetectedOne() {
    var detector = RepDetector()
    var events: [DetectionEvent] = []
    let middle = Int((recording.end + 1) * 50)
    detector.append(recording.samples[0..<middle]) { events.append($0) }
    detector.beginSet { events.append($0) }
    detector.append(recording.samples[middle..<recording.samples.count]) { events.append($0) }
    detector.beginSet { events.append($0) }
    detector.finish { events.append($0) }
    let sets = events.compactMap(\.setEnded)
    #expect(sets.map(\.cause) == [.detected, .declared, .declared])
    #expect(sets.map(\.reps.count) == [8, 0, 0])
  }

  /// Two bouts with a long rest between them are one declared set.
  @Test func declaredSetIncludesAllBouts() throws {
    let first = SyntheticMotion.curls(reps: 5)
    var samples = first.samples
    var second = SyntheticMotion.curls(reps: 4, seed: 2).samples
    let offset = try #require(samples.times.last) + 0.02
    second[.time] = second[.time].map { $0 + offset }
    samples.append(second)
    var detector = RepDetector(findsSets: false)
    var events: [DetectionEvent] = []
    detector.beginSet { events.append($0) }
    for start in stride(from: 0, to: samples.count, by: 50) {
      detector.append(samples[start..<min(start + 50, samples.count)]) { events.append($0) }
    }
    detector.endSet { events.append($0) }
    let counts = events.compactMap { event -> Int? in
      if case .rep(_, let count, _) = event { count } else { nil }
    }
    #expect(counts == Array(1...9))
    let phases = events.compactMap { event -> WorkoutPhase? in
      if case .phase(_, _, let to) = event { to } else { nil }
    }
    #expect(phases == [.execution, .rest, .execution, .rest])
    #expect(events.compactMap(\.setEnded).map(\.reps.count) == [9])
  }

  /// Returns the samples of a set without a fraction of its first and last rep.
  private static func cutSet(period: Double, share: Double) -> MotionBatch {
    let recording = SyntheticMotion.curls(reps: 6, period: period, pause: 0.2)
    let span = (recording.start + share * period)...(recording.end - share * period)
    return recording.samples.selecting(
      recording.samples.times.indices.filter { span.contains(recording.samples.times[$0]) })
  }

  @Test(arguments: [1.2, 2.4, 4.5], [0, 0.05, 0.1])
  func repsAtTheEdgesOfTheSignalAreCounted(period: Double, share: Double) throws {
    let samples = Self.cutSet(period: period, share: share)
    let set = RepDetector.countSet(in: samples)
    #expect(set.reps.count == 6)
    #expect(try set.start >= #require(samples.times.first))
    #expect(try set.end <= #require(samples.times.last))
  }

  /// A declared set may end during the next movement; four tenths of a movement are not a rep.
  @Test(arguments: [3.0, 4.5])
  func movementCutInTheMiddleIsNotARep(period: Double) {
    let recording = SyntheticMotion.curls(reps: 7, period: period, pause: 0.2)
    let end = recording.end - 0.6 * period
    let samples = recording.samples.selecting(
      recording.samples.times.indices.filter { recording.samples.times[$0] < end })
    #expect(RepDetector.countSet(in: samples).reps.count == 6)
    var lenient = DetectorConfiguration()
    lenient.longestCutSeconds = 10
    #expect(RepDetector.countSet(in: samples, configuration: lenient).reps.count == 7)
  }

  /// The reps before and after the jump belong to the set, whether declared or found.
  @Test(arguments: [5.0, 60, 1e6], [1, 2, 6])
  func clockSetBackLosesOnlyAdjacentReps(seconds: Double, repsBefore: Int) {
    let recording = SyntheticMotion.curls(reps: 12)
    var samples = recording.samples
    let middle = recording.start + Double(repsBefore) * 2.9
    samples[.time] = samples.times.map { $0 < middle ? $0 : $0 - seconds }
    #expect(RepDetector.countSet(in: samples).reps.count >= 10)
    var detector = RepDetector()
    var found = 0
    detector.append(samples) { if let set = $0.setEnded { found += set.reps.count } }
    detector.finish { if let set = $0.setEnded { found += set.reps.count } }
    // Two reps alone are too few to be detected.
    #expect(found >= (repsBefore > 2 ? 10 : 10 - repsBefore))
  }

  /// Counterpart of `repsAtTheEdgesOfTheSignalAreCounted`: without rest beyond the signal reps are lost.
  @Test func losesRepsWithoutRestBeyondTheSignal() {
    var configuration = DetectorConfiguration()
    configuration.frontEnd.restBeyondSignalSeconds = 0
    let counts = [1.2, 2.4, 4.5].flatMap { period in
      [0, 0.05, 0.1].map { share in
        RepDetector.countSet(
          in: Self.cutSet(period: period, share: share), configuration: configuration
        ).reps.count
      }
    }
    #expect(counts.contains { $0 < 6 }, "\(counts)")
  }
}

extension DetectionEvent {
  fileprivate var setEnded: CountedSet? {
    if case .setEnded(_, let set) = self { set } else { nil }
  }

  fileprivate var declaredStart: Double? {
    if case .setStarted(_, let start, .declared) = self { start } else { nil }
  }
}
