import Motion
import RepDetection
import TestSupport
import Testing

/// Guarantees of the detector for every signal.
struct RepDetectorContractTests {
  @Test func countsACleanSet() {
    let set = RepDetector.countSet(in: SyntheticMotion.curls(reps: 9).samples)
    #expect(set.reps.count == 9)
    #expect(set.cause == .declared)
  }

  /// Unbounded durations would take unbounded memory, and NaN would trap.
  @Test(arguments: [Double.nan, -1, 0, .infinity]) func durationsAreClamped(seconds: Double) {
    var configuration = DetectorConfiguration()
    configuration.shortestPeriodSeconds = seconds
    configuration.longestPeriodSeconds = seconds
    configuration.longestGapSeconds = seconds
    configuration.longestRestWithinSetSeconds = seconds
    configuration.longestSetSeconds = seconds
    var samples = SyntheticMotion.curls(reps: 6).samples
    samples[.time][samples.count - 1] += 1e9
    let set = RepDetector.countSet(in: samples, configuration: configuration)
    let events = RepDetector.events(of: samples, chunk: 50, configuration)
    #expect(set.reps.count <= 6)
    var detector = RepDetector(configuration: configuration)
    for batch in samples.batches(of: 50) {
      detector.append(batch) { _ in }
      #expect(detector.snapshot().count <= 65_536 + detector.approximateSetByteCount)
    }
    guard seconds.isNaN else { return }
    #expect(set.reps.count == 6)
    #expect(!events.isEmpty)
  }

  @Test(arguments: [12.5, 20, 50, 100])
  func findsASetBetweenRests(rateHz: Double) {
    let recording = SyntheticMotion.curls(reps: 8, rateHz: rateHz)
    let sets = RepDetector.detectSets(in: recording.samples)
    #expect(sets.map(\.reps.count) == [8])
    if let set = sets.first {
      #expect(abs(set.start - recording.start) < 0.5)
      #expect(abs(set.end - recording.end) < 0.5)
    }
  }

  @Test(arguments: [1, 7, 100])
  func eventsDoNotDependOnChunking(size: Int) {
    let samples = SyntheticMotion.curls(reps: 6).samples
    let whole = RepDetector.events(of: samples, chunk: samples.count)
    #expect(whole == RepDetector.events(of: samples, chunk: size))
    #expect(!whole.isEmpty)
  }

  @Test func copyInMidStreamIsIndependent() {
    let samples = SyntheticMotion.curls(reps: 6).samples
    var first: [DetectionEvent] = []
    var second: [DetectionEvent] = []
    var detector = RepDetector()
    detector.append(samples[0..<900]) { first.append($0) }
    second = first
    var copy = detector
    detector.append(samples[900..<samples.count]) { first.append($0) }
    detector.finish { first.append($0) }
    copy.append(samples[900..<samples.count]) { second.append($0) }
    copy.finish { second.append($0) }
    #expect(first == second)
  }

  @Test func countsLive() {
    let recording = SyntheticMotion.curls(reps: 10)
    var counts: [Int] = []
    var latencies: [Double] = []
    var finalSet: CountedSet?
    var started: Double?
    for event in RepDetector.events(of: recording.samples, chunk: 25) {
      switch event {
      case .setStarted(let time, _, _): started = time
      case .rep(let time, let count, let rep):
        counts.append(count)
        if let started, time > started { latencies.append(time - rep.end) }
      case .setEnded(_, let set): finalSet = set
      default: break
      }
    }
    #expect(counts == Array(1...10))
    #expect(finalSet?.reps.count == 10)
    #expect(latencies.count >= 4)
    #expect(latencies.allSatisfy { $0 <= 0.6 })
  }

  @Test func repsAreWhereTheWristMoves() throws {
    let recording = SyntheticMotion.curls(reps: 7, period: 2.4, pause: 0.8)
    let set = try #require(RepDetector.detectSets(in: recording.samples).first)
    try #require(set.reps.count == 7)
    for (index, rep) in set.reps.enumerated() {
      let start = recording.start + Double(index) * 3.2
      #expect(abs(rep.start - start) < 0.25)
      #expect(abs(rep.end - (start + 2.4)) < 0.25)
    }
  }

  @Test func countsWithAccelerometerAlone() {
    var samples = SyntheticMotion.curls(reps: 8).samples
    let own = MotionQuantity.userAcceleration.channels.map { samples[$0] }
    let gravity = MotionQuantity.gravity.channels.map { samples[$0] }
    for (i, channel) in MotionQuantity.totalAcceleration.channels.enumerated() {
      // Upwards and in m/s², as on Android.
      samples[channel] = zip(own[i], gravity[i]).map { -9.80665 * ($0 + $1) }
    }
    for quantity in [MotionQuantity.userAcceleration, .gravity, .rotationRate] {
      for channel in quantity.channels { samples[channel] = [] }
    }
    samples.units.totalAcceleration = .metersPerSecondSquared
    let set = RepDetector.countSet(in: samples)
    #expect(set.reps.count == 8)
  }

  @Test func aLongGapEndsTheSet() {
    let first = SyntheticMotion.curls(reps: 6).samples
    var second = first
    second[.time] = second[.time].map { $0 + 3600 }
    var both = first
    both.append(second)
    #expect(RepDetector.detectSets(in: both).map(\.reps.count) == [6, 6])
  }

  @Test func noSamplesGiveNoEvents() {
    let empty = MotionBatch()
    #expect(RepDetector.detectSets(in: empty).isEmpty)
    #expect(RepDetector.countSet(in: empty).reps.isEmpty)
  }

  @Test func invalidValuesAreHarmless() {
    var samples = SyntheticMotion.curls(reps: 6).samples
    let hostile: [Double] = [
      .nan, .infinity, -.infinity, 1e300, -1e300, 0, .greatestFiniteMagnitude,
    ]
    for channel in samples.channels {
      var column = samples[channel]
      for i in stride(from: 13 + Int(channel.rawValue), to: column.count, by: 97) {
        column[i] = hostile[(i / 97) % hostile.count]
      }
      samples[channel] = column
    }
    _ = RepDetector.detectSets(in: samples)
    _ = RepDetector.countSet(in: samples)
  }

  @Test func restIsNotARep() {
    let recording = SyntheticMotion.curls(reps: 6)
    let rows = 0..<recording.samples.count
    let set = RepDetector.countSet(
      in: recording.samples, phases: [PhaseSpan(rows: rows, phase: .rest)])
    #expect(set.reps.isEmpty)
  }

  @Test func stillnessContainsNoSet() {
    let samples = SyntheticMotion.curls(reps: 0, restSeconds: 30).samples
    #expect(RepDetector.detectSets(in: samples).isEmpty)
  }
}
