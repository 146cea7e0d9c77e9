import Foundation
import Motion
import MotionSynthesis
import Testing

@testable import MotionFrames
@testable import RepDetection
@testable import TemplateSearch

/// Begins and ends of reps, compared with synthetic recordings in which they are known.
struct RepBoundariesTests {
  @Test(arguments: [ExerciseFamily.curl, .lateralRaise, .overheadPress, .pushUp, .pullUp])
  func boundariesAreAccurateToTenthsOfASecond(family: ExerciseFamily) throws {
    var starts: [Double] = []
    var ends: [Double] = []
    for seed in 0..<12 as Range<UInt64> {
      let (truth, found) = try Self.set(of: family, seed: seed)
      guard let set = found else { continue }
      for rep in set.reps {
        // Reps at other phases are tested by `repsBeginWhereTheMovementDoes`.
        guard
          let actual = truth.reps.first(where: {
            abs(($0.start + $0.end) - (rep.start + rep.end)) < 0.5 * ($0.end - $0.start)
          })
        else { continue }
        starts.append(abs(rep.start - actual.start))
        ends.append(abs(rep.end - actual.end))
      }
    }
    try #require(starts.count >= 60)
    #expect(starts.sorted()[starts.count / 2] < 0.15)
    #expect(ends.sorted()[ends.count / 2] < 0.15)
  }

  /// The weight is picked up before the first rep and put down after the last one.
  @Test func setExcludesPickingUpAndPuttingDownTheWeight() throws {
    var starts: [Double] = []
    var ends: [Double] = []
    let families: [ExerciseFamily] = [.curl, .benchPress, .overheadPress, .pulldown, .row]
    for family in families {
      for seed in 0..<12 as Range<UInt64> {
        let (truth, found) = try Self.set(of: family, seed: seed)
        guard let set = found, set.reps.count == truth.reps.count else { continue }
        starts.append(abs(set.start - truth.start))
        ends.append(abs(set.end - truth.end))
      }
    }
    try #require(starts.count >= 45)
    #expect(starts.sorted()[starts.count / 2] < 0.1)
    #expect(ends.sorted()[ends.count / 2] < 0.16)
  }

  /// The score is nearly indifferent to the phase of reps; the wrist's rest between them determines it.
  @Test func repsBeginWhereTheMovementDoes() throws {
    var anyPhase = DetectorConfiguration()
    anyPhase.boundaryCost = 0
    var still = Starts()
    var any = Starts()
    for family in ExerciseFamily.allCases {
      for seed in 0..<16 as Range<UInt64> {
        let options = SynthesisOptions(
          seed: 70 + seed, exercise: family, difficulty: seed % 2 == 0 ? .ordinary : .hard,
          sets: 1, reps: 7, rate: .constant(50))
        let made = try RecordingSynthesizer(options).make()
        let truth = try #require(made.truth.first)
        let samples = made.recording.samples
        let begin = samples.times.firstIndex { $0 >= truth.start - 1.5 } ?? 0
        let end = samples.times.firstIndex { $0 > truth.end + 1.5 } ?? samples.count
        let window = samples[begin..<end]
        still.add(RepDetector.countSet(in: window, configuration: DetectorConfiguration()), truth)
        any.add(RepDetector.countSet(in: window, configuration: anyPhase), truth)
      }
    }
    #expect(still.right > 0.88)
    #expect(still.error < any.error)
  }

  /// The begins of reps, compared with the truth.
  private struct Starts {
    private var reps = 0.0
    private var rightReps = 0.0
    private var errors = 0.0

    /// Fraction of reps that begin within a quarter of a rep of a true begin.
    var right: Double { rightReps / max(reps, 1) }
    /// Mean error, in seconds.
    var error: Double { errors / max(reps, 1) }

    mutating func add(_ set: CountedSet, _ truth: TrueSet) {
      for rep in set.reps {
        reps += 1
        let isRight = truth.reps.contains { actual in
          (actual.start - rep.start).magnitude < (actual.end - actual.start) / 4
        }
        if isRight { rightReps += 1 }
        errors += truth.reps.map { ($0.start - rep.start).magnitude }.min() ?? 0
      }
    }
  }

  /// Interpolated frames have zero motion. A rep must end where the wrist measurably came to rest.
  @Test func repsDoNotEndAtInterpolatedFrames() throws {
    // Half a rep first, then three reps.
    let speeds = Array(Self.rep()[70...]) + Self.rep() + Self.rep() + Self.rep() + Self.rep()
    let ends = Self.reps(of: [5, 85, 165, 245], in: Array(speeds.prefix(260)), lost: 122..<156)
      .map(\.upperBound)
    try #require(ends.count == 3)
    for (end, expected) in zip(ends, [80.0, 160, 240]) { #expect((end - expected).magnitude < 4) }
  }

  /// The wrist is at rest at the turnaround, a typical duration before the end of a slow rep.
  @Test func aSlowRepIsNotHalved() throws {
    let speeds = Self.rep() + Self.rep() + Self.rep() + Self.rep(out: 40, hold: 12, back: 62)
    let reps = Self.reps(of: [0, 80, 160, 240, 363], in: speeds)
    try #require(reps.count == 4)
    #expect((reps[3].lowerBound - 240).magnitude < 4)
    #expect((reps[3].upperBound - 354).magnitude < 4)
  }

  /// Up to its turnaround the slow rep turns as far as the smaller ones after it.
  @Test func aSlowRepBeforeSmallerOnesIsNotHalved() throws {
    let small = Self.rep().map { $0 / 2 }
    let speeds = Self.rep(hold: 60) + small + small + small
    let reps = Self.reps(of: [0, 130, 210, 290, 370], in: speeds, tilted: 15..<105)
    try #require(reps.count == 4)
    #expect(reps[0].lowerBound.magnitude < 4)
    #expect((reps[0].upperBound - 120).magnitude < 4)
  }

  /// The weight is lowered at a fifth of the speed of lifting, as slowly as the motion during a pause.
  @Test func aSlowWayBackIsPartOfTheRep() throws {
    let rep = Self.rep(back: 180)
    let reps = Self.reps(of: [0, 230, 460, 690], in: rep + rep + rep)
    try #require(reps.count == 3)
    for rep in reps { #expect(rep.upperBound - rep.lowerBound > 150) }
  }

  /// The wrist is adjusted in the pause after each rep, at a seventh of the rep's speed.
  @Test func adjustmentsInAPauseAreNotPartOfARep() throws {
    var rep = Self.rep(pause: 40)
    for i in 0..<20 { rep[85 + i] = 0.05 + 0.4 * sin(.pi * Double(i) / 20) }
    let reps = Self.reps(of: [-4, 106, 216, 326, 436], in: rep + rep + rep + rep)
    try #require(reps.count == 4)
    for rep in reps { #expect((rep.upperBound - rep.lowerBound - 70).magnitude < 4) }
  }

  @Test func repsOfASetDoNotOverlap() throws {
    for seed in 0..<12 as Range<UInt64> {
      let made = try RecordingSynthesizer(SynthesisOptions(seed: seed, difficulty: .hard)).make()
      for set in RepDetector.detectSets(in: made.recording.samples) {
        for rep in set.reps { #expect(rep.start <= rep.end) }
        for (before, after) in zip(set.reps, set.reps.dropFirst()) {
          #expect(before.end <= after.start)
        }
      }
    }
  }

  /// Returns a synthetic set of eight reps, and the set that is detected there.
  private static func set(
    of family: ExerciseFamily, seed: UInt64
  ) throws -> (truth: TrueSet, found: CountedSet?) {
    let options = SynthesisOptions(
      seed: 40 + seed, exercise: family, sets: 1, reps: 8, rate: .constant(50))
    let made = try RecordingSynthesizer(options).make()
    let truth = try #require(made.truth.first)
    let found = RepDetector.detectSets(in: made.recording.samples).first {
      $0.start < truth.end && $0.end > truth.start
    }
    return (truth, found)
  }

  /// Returns the angular speeds of a rep, in rad/s. The typical rep peaks at 3; others turn as far. Lengths
  /// are in frames.
  private static func rep(
    out: Int = 30, hold: Int = 10, back: Int = 30, pause: Int = 10
  ) -> [Double] {
    func swing(_ frames: Int) -> [Double] {
      (0..<frames).map {
        0.05 + 360 * Double($0 * (frames - $0)) / Double(frames * frames * frames)
      }
    }
    let still = { (frames: Int) in Array(repeating: 0.05, count: frames) }
    return swing(out) + still(hold) + swing(back) + still(pause)
  }

  /// Returns begin and end of the reps between cuts, in frames. In the frames of `tilted` the wrist has
  /// another posture.
  private static func reps(
    of cuts: [Double], in speeds: [Double], lost: Range<Int> = 0..<0, tilted: Range<Int> = 0..<0
  ) -> [ClosedRange<Double>] {
    var window = TimedFrames()
    for (frame, speed) in speeds.enumerated() {
      let isLost = lost.contains(frame)
      window.frames.append(
        MotionFrame(
          gravity: tilted.contains(frame) ? SIMD4(-1, 0, 0, 0) : SIMD4(0, 0, -1, 0),
          rotation: SIMD4(isLost ? 0 : Float(speed), 0, 0, 0),
          userAcceleration: SIMD4()))
      window.times.append(Double(frame) / FrontEnd.frameRateHz)
      window.isMissing.append(isLost)
      window.isBeyondSignal.append(false)
    }
    let segments = zip(cuts, cuts.dropFirst()).map { Segment(start: $0, end: $1) }
    return RepBoundaries.reps(
      of: Segmentation(
        framesPerStep: 1, segments: segments, similarities: segments.map { _ in 1 }), in: window
    ).map { ($0.start * FrontEnd.frameRateHz)...($0.end * FrontEnd.frameRateHz) }
  }
}
