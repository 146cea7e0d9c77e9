import Foundation
import Motion
import Testing

@testable import MotionFrames
@testable import RepDetection
@testable import TemplateSearch

/// Distinguishing sets from other repeated movements.
struct SetGateTests {
  private static let period = 1.12

  /// Returns the features of a hanging forearm's swings, as in walking, with a number of bounces and a rest
  /// per swing.
  private func swings(
    bounces: Double, similarity: Float = 0.97, bounceG: Double = 0.14, angleRad: Double = 0.3,
    count: Int = 10, aRep swingsPerRep: Int = 1, restSeconds: Double = 0, from start: Double = 0
  ) -> SetGate.Figures {
    let framesPerSwing = Int((Self.period + restSeconds) * FrontEnd.frameRateHz)
    var window = TimedFrames()
    for i in 0..<(count * framesPerSwing) {
      let seconds = Double(i % framesPerSwing) / FrontEnd.frameRateHz
      let phase = 2 * Double.pi * min(seconds / Self.period, 1)
      let speed = seconds < Self.period ? angleRad * 2 * Double.pi / Self.period : 0
      let angle = angleRad * sin(phase)
      let gravity = SIMD4(Float(cos(angle)), Float(sin(angle)), 0, 0)
      window.frames.append(
        MotionFrame(
          gravity: gravity, rotation: SIMD4(0, 0, Float(speed * cos(phase)), 0),
          userAcceleration: gravity * Float(bounceG * sin(bounces * phase))))
      window.times.append(start + Double(i) / FrontEnd.frameRateHz)
      window.isMissing.append(false)
    }
    let length = Double(swingsPerRep * framesPerSwing)
    let segments = (0..<(count / swingsPerRep)).map {
      Segment(start: Double($0) * length, end: Double($0 + 1) * length)
    }
    return SetGate.Figures(
      segments, framesPerStep: 1, similarities: segments.map { _ in similarity }, in: window)
  }

  @Test func walkingHasTwoBouncesPerSwing() {
    #expect(swings(bounces: 2).steps > 0.8)
    #expect(swings(bounces: 1).steps == 0)
  }

  @Test func oneBouncePerSwingIsNotWalking() {
    let gate = SetGate(DetectorConfiguration())
    #expect(gate.probability(of: swings(bounces: 2)) < 0.5)
    #expect(gate.isWalking(swings(bounces: 2), threshold: 0.5))
    #expect(gate.probability(of: swings(bounces: 1)) > 0.5)
  }

  @Test func twoStridesPerMovementAreWalking() {
    let gate = SetGate(DetectorConfiguration())
    #expect(gate.isWalking(swings(bounces: 2, aRep: 2), threshold: 0.5))
    #expect(!gate.isWalking(swings(bounces: 1, aRep: 10), threshold: 0.5))
  }

  /// Three sips are as similar as three curls, but the wrist rests between them. (Its travel is sufficient
  /// with and without rests.)
  @Test func fewMovementsWithPausesAreUnlikelyASet() {
    let gate = SetGate(DetectorConfiguration())
    func probability(_ count: Int, restSeconds: Double) -> Double {
      gate.probability(
        of: swings(
          bounces: 1, similarity: 0.85, bounceG: 0.7, count: count, restSeconds: restSeconds))
    }
    #expect(probability(3, restSeconds: 3) < probability(3, restSeconds: 0) - 0.1)
    #expect(probability(3, restSeconds: 3) < probability(4, restSeconds: 3) - 0.1)
    #expect(abs(probability(4, restSeconds: 3) - probability(8, restSeconds: 3)) < 0.05)
  }

  /// The ratio of turning to bouncing is that of walking, but both are small: a push-up.
  @Test func littleBounceIsNotWalking() {
    let least = DetectorConfiguration().leastGait
    #expect(swings(bounces: 2).motion.gait(period: Float(Self.period)) > least)
    let pushUps = swings(bounces: 2, bounceG: 0.03, angleRad: 0.08)
    #expect(pushUps.motion.gait(period: Float(Self.period)) < 0.5 * least)
  }

  /// The ratio of turning to bouncing is that of walking, but both exceed any walk: jumping jacks.
  @Test func fastTurningIsNotWalking() {
    let jumps = swings(bounces: 2, bounceG: 1, angleRad: 1.6)
    #expect(jumps.motion.gait(period: Float(Self.period)) < 0.1)
  }

  @Test func widerSwingsAreLessSteady() {
    #expect(swings(bounces: 2, angleRad: 0.3).motion.steadiness > 0.95)
    #expect(swings(bounces: 2, angleRad: 0.9).motion.steadiness < 0.85)
  }

  /// A walk's steps have one frequency. The same motion at a set's tempo has no peak in their band.
  @Test func stepsHaveANarrowPeak() {
    func frames(_ hertz: [Double]) -> [MotionFrame] {
      (0..<600).map { i in
        let time = Double(i) / FrontEnd.frameRateHz
        let bounce = hertz.reduce(0) { $0 + 0.1 * sin(2 * .pi * $1 * time) }
        return MotionFrame(
          gravity: SIMD4(0, 0, 1, 0), rotation: .zero,
          userAcceleration: SIMD4(0, 0, Float(bounce), 0))
      }
    }
    #expect(StepSpectrum.peakFraction(frames([1.8])) > 0.95)
    #expect(abs(StepSpectrum.peakFraction(frames([0.6, 1.8])) - 0.5) < 0.05)
    #expect(StepSpectrum.peakFraction(frames([0.6])) < 0.01)
    #expect(StepSpectrum.peakFraction(frames([0.6, 1.8]).prefix(200)) > 0.4)
    #expect(StepSpectrum.peakFraction(frames([]).prefix(2)) == 0)
  }

  @Test func surroundingsNeedASecondOfSignal() {
    var store = FrameStore()
    let clock = FrameTimes.Clock(start: 0)
    for i in 0..<500 {
      let isRun = (150..<400).contains(i)
      store.append(
        TimedFrame(
          clock: clock, number: i,
          frame: MotionFrame(
            gravity: isRun ? SIMD4(1, 0, 0, 0) : SIMD4(0, 1, 0, 0), rotation: .zero,
            userAcceleration: SIMD4(isRun ? 0.2 : 0, 0, 0, 5)),
          isRest: false, arrival: Double(i) / 25, hasRotation: true, startsAfterBreak: false))
    }
    var run = swings(bounces: 1)
    run.level = MotionLevel(store.frames(150..<400))
    run.surroundings = store.surroundings(of: 6...16, period: 2)
    #expect(abs((run.postureBeside ?? 0) - .pi / 2) < 1e-3)
    // The vertical velocity is not an acceleration.
    #expect(abs((run.moveBeside ?? 0) - log(21)) < 1e-2)
    #expect(store.surroundings(of: 0.5...16, period: 2).before == nil)
    run.surroundings = store.surroundings(of: 0.5...19.5, period: 2)
    #expect(run.postureBeside == nil && run.moveBeside == nil)
  }

  @Test func setIsMoreProbableBesideAnotherPosture() {
    let gate = SetGate(DetectorConfiguration())
    var run = swings(bounces: 1, similarity: 0.85)
    let alone = gate.probability(of: run)
    run.surroundings.before = run.level
    #expect(gate.probability(of: run) < alone)
    var other = swings(bounces: 1, angleRad: 1.5)
    other.level = MotionLevel([
      MotionFrame(gravity: SIMD4(0, 0, 1, 0), rotation: .zero, userAcceleration: .zero)
    ])
    run.surroundings.before = other.level
    #expect(gate.probability(of: run) > alone)
  }

  @Test func priorScalesTheOdds() {
    let run = swings(bounces: 1, similarity: 0.85)
    func odds(_ prior: Double) -> Double {
      var configuration = DetectorConfiguration()
      configuration.setPrior = prior
      let probability = SetGate(configuration).probability(of: run)
      return probability / (1 - probability)
    }
    #expect(abs(odds(0.8) / odds(0.5) - 4) < 1e-6)
  }

  /// A movement of earlier workouts is more probable; one that resembles none of them is less so.
  @Test func knownMovementIsMoreProbable() throws {
    let uneven = swings(bounces: 1, similarity: 0.7)
    var configuration = DetectorConfiguration()
    let alone = SetGate(configuration).probability(of: uneven)
    func probability(postureX: Float) throws -> Double {
      let rep = MovementPattern.Phase(
        gravity: SIMD3(postureX, 0, 0), rotation: SIMD3(0, 0, uneven.signature.speed),
        userAcceleration: .zero)
      let pattern = try #require(
        MovementPattern(
          phases: Array(repeating: rep, count: MovementPattern.phaseCount),
          durationSeconds: Self.period, similarity: 0.97, repCount: 8))
      configuration.hints.patterns = [pattern]
      return SetGate(configuration).probability(of: uneven)
    }
    #expect(try probability(postureX: 1) > alone + 0.05)
    #expect(try abs(probability(postureX: -1) - alone) < 0.01)
  }
}
