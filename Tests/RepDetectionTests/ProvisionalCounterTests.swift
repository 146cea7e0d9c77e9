import Motion
import MotionSynthesis
import SignalProcessing
import TestSupport
import Testing

@testable import MotionFrames
@testable import RepDetection

/// The first reps of a declared set, announced before enough of them have repeated for it to be recognized.
struct ProvisionalCounterTests {
  private typealias Told = (count: Int, reps: [CountedRep], begun: [Double], corrections: Int)

  /// Counts the reps of a wrist that turns about one axis after the other, by given angles over time.
  private func told(
    _ seconds: Double, known: ProvisionalMovement? = nil, isTentative: Bool = false,
    _ degrees: (_ time: Double) -> SIMD4<Float>
  ) -> Told {
    var counter = ProvisionalCounter(
      DetectorConfiguration(), known: known, isTentative: isTentative)
    var reps: [CountedRep] = []
    var begun: [Double] = []
    var corrections = 0
    let clock = FrameTimes.Clock(start: 0)
    for number in 0..<Int(seconds * FrontEnd.frameRateHz) {
      let time = Double(number) / FrontEnd.frameRateHz
      // Small turns about one axis at a time: the rate is the difference.
      let rate = (degrees(time) - degrees(time - 0.04)) * (.pi / 180 / 0.04)
      let frame = MotionFrame(gravity: SIMD4(), rotation: rate, userAcceleration: SIMD4())
      let reports = counter.append(
        TimedFrame(
          clock: clock, number: number, frame: frame, isRest: false, arrival: time,
          isMissing: false, hasRotation: true, startsAfterBreak: number == 0))
      for report in reports {
        switch report {
        case .rep(let rep): reps.append(rep)
        case .isRepeating: begun.append(time)
        case .retracted: corrections += 1
        }
      }
    }
    return (counter.count, reps, begun, corrections)
  }

  /// Returns the turn of a movement out and back about an axis.
  private func swing(
    _ time: Double, from start: Double, seconds: Double = 3, axis: SIMD4<Float>
  ) -> SIMD4<Float> {
    guard time > start, time < start + seconds else { return SIMD4() }
    return axis * Float((1 - Math.cosine(2 * .pi * (time - start) / seconds)) / 2)
  }

  private let bend = SIMD4<Float>(0, 0, 90, 0)
  private let roll = SIMD4<Float>(90, 0, 0, 0)

  @Test func oneMovementOutAndBackIsARep() throws {
    let told = told(6) { swing($0, from: 1, axis: bend) }
    #expect(told.count == 1)
    let rep = try #require(told.reps.first)
    #expect(abs(rep.start - 1) < 0.4)
    #expect(abs(rep.end - 4) < 0.4)
    #expect(rep.confidence < 0.9)
  }

  /// The wrist goes out and stays, or hardly turns.
  @Test func movementWithoutReturnIsNotARep() {
    #expect(told(8) { bend * Float(min(max($0 - 1, 0) / 2, 1)) }.count == 0)
    #expect(told(8) { swing($0, from: 1, axis: SIMD4(0, 0, 8, 0)) }.count == 0)
  }

  @Test func repsOfOneMovementAreCounted() {
    let told = told(20) { time in
      (0..<5).reduce(SIMD4<Float>()) { $0 + swing(time, from: 1 + 3.5 * Double($1), axis: bend) }
    }
    #expect(told.count == 5)
    #expect(told.corrections == 0)
    for (rep, next) in zip(told.reps, told.reps.dropFirst()) { #expect(rep.end <= next.start) }
    #expect(told.reps.dropFirst().allSatisfy { $0.confidence > told.reps[0].confidence })
  }

  /// A movement of another kind before the first rep only takes up the starting position.
  @Test func movingIntoPositionIsRetracted() {
    let told = told(14) { time in
      swing(time, from: 1, axis: roll) + swing(time, from: 5, axis: bend)
        + swing(time, from: 9, axis: bend)
    }
    #expect(told.count == 2)
    #expect(told.corrections == 1)
  }

  /// The wrist is out again: about the same axis, soon, and about as fast.
  @Test func nextRepIsRecognizedAsItBegins() throws {
    let curls = told(9) { swing($0, from: 1, axis: bend) + swing($0, from: 4.5, axis: bend) }
    let begun = try #require(curls.begun.first)
    #expect(begun > 5 && begun < 6, "\(begun)")
    #expect(curls.begun.count == 1)
    #expect(curls.count == 2)
    #expect(told(9) { swing($0, from: 1, axis: bend) }.begun == [])
    func second(from start: Double, seconds: Double, axis: SIMD4<Float>) -> Told {
      told(20) {
        swing($0, from: 1, axis: bend) + swing($0, from: start, seconds: seconds, axis: axis)
      }
    }
    #expect(second(from: 8, seconds: 3, axis: bend).begun == [])
    #expect(second(from: 4.5, seconds: 1, axis: bend).begun == [])
    #expect(second(from: 4.5, seconds: 8, axis: bend).begun == [])
    #expect(second(from: 4.5, seconds: 3, axis: roll).begun == [])
  }

  /// If no set is declared, all counted movements may be withdrawn; in a declared set two similar ones are
  /// reps.
  @Test func tentativeCountIsRetracted() {
    func told(isTentative: Bool) -> Told {
      self.told(14, isTentative: isTentative) { time in
        swing(time, from: 1, axis: roll) + swing(time, from: 4.5, axis: roll)
          + swing(time, from: 8.5, axis: bend)
      }
    }
    #expect(told(isTentative: true).count == 1)
    #expect(told(isTentative: true).corrections == 1)
    #expect(told(isTentative: false).count == 2)
    #expect(told(isTentative: false).corrections == 0)
  }

  /// In a later bout only the movement of the earlier ones counts.
  @Test func laterBoutCountsOnlyTheSameMovement() {
    let start = WristMoment(time: 0, attitude: Attitude(), speed: 0)
    let known = ProvisionalMovement(
      begin: start, end: start, axis: SIMD4(0, 0, 1, 0), range: 1.4, peakSpeed: 2)
    #expect(told(6, known: known) { swing($0, from: 1, axis: bend) }.count == 1)
    #expect(told(6, known: known) { swing($0, from: 1, axis: roll) }.count == 0)
  }

  @Test func turnsIntegrateToAttitudes() {
    var attitude = Attitude()
    for _ in 0..<25 { attitude.turn(by: SIMD4(0, 0, .pi / 2, 0), for: 0.04) }
    // A quarter turn: twice the sine of 45°.
    let turn = Attitude().turn(to: attitude)
    #expect(abs(turn.z - 2 * Float(0.5).squareRoot()) < 0.01)
    #expect(abs(turn.x) + abs(turn.y) < 1e-5)
    let middle = Attitude().middle(to: attitude).turn(to: attitude)
    #expect(abs(middle.z - Float(2 * Math.sine(.pi / 8))) < 0.01)
  }

  // MARK: - In a set

  private func events(_ samples: MotionBatch) -> [DetectionEvent] {
    var detector = RepDetector(findsSets: false)
    var events: [DetectionEvent] = []
    detector.beginSet { events.append($0) }
    for start in stride(from: 0, to: samples.count, by: 10) {
      detector.append(samples[start..<min(start + 10, samples.count)]) { events.append($0) }
    }
    detector.endSet { events.append($0) }
    return events
  }

  /// Each rep is announced within 0.7 s of its end, including the first.
  @Test(arguments: [ExerciseFamily.curl, .lateralRaise, .overheadPress, .row])
  func repsAreAnnouncedImmediately(family: ExerciseFamily) throws {
    let options = SynthesisOptions(
      seed: 11, exercise: family, sets: 1, reps: 8, rate: .constant(50))
    let made = try RecordingSynthesizer(options).make()
    let truth = try #require(made.truth.first)
    let samples = made.recording.samples
    let rows = samples.times.indices.filter {
      samples.times[$0] >= truth.start - 2 && samples.times[$0] <= truth.end + 2
    }
    var delays: [Double] = []
    for event in events(samples.selecting(rows)) {
      if case .rep(let time, let count, _) = event, count <= truth.reps.count {
        delays.append(time - truth.reps[count - 1].end)
      }
    }
    try #require(delays.count >= 8)
    #expect(delays[0] <= 0.7)
    #expect(delays.count { $0 <= 0.7 } >= 7, "\(delays)")
  }

  /// Two reps are never recognized as a set, but are still counted live.
  @Test func twoRepsAreCountedLive() throws {
    let recording = SyntheticMotion.curls(reps: 2, period: 3, restSeconds: 4)
    let events = events(recording.samples)
    let times = events.compactMap { event -> Double? in
      if case .rep(let time, _, _) = event { time } else { nil }
    }
    #expect(times.count == 2)
    #expect(try #require(times.first) < recording.start + 3.5)
  }
}
