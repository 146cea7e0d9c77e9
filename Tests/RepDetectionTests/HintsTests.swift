import Motion
import MotionSynthesis
import RepDetection
import TestSupport
import Testing

/// Hints, and the reasons given for movements that were not counted.
struct HintsTests {
  @Test func patternSurvivesEncoding() throws {
    let recording = SyntheticMotion.curls(reps: 8)
    let set = RepDetector.countSet(in: recording.samples)
    let pattern = try #require(RepDetector.pattern(of: set, in: recording.samples))
    #expect(pattern.phases.count == MovementPattern.phaseCount)
    #expect(pattern.repCount == 8)
    #expect(pattern.similarity > 0.8)
    #expect(pattern.bytes.count == MovementPattern.byteCount)
    let again = try #require(MovementPattern(bytes: pattern.bytes))
    #expect(again.phases == pattern.phases)
    #expect(abs(again.durationSeconds - pattern.durationSeconds) < 1e-5)
    #expect(again.bytes == pattern.bytes)
  }

  /// The reps may be passed in any order.
  @Test func patternDoesNotDependOnTheOrderOfReps() throws {
    let recording = SyntheticMotion.curls(reps: 8)
    var set = RepDetector.countSet(in: recording.samples)
    set.reps.reverse()
    #expect(RepDetector.pattern(of: set, in: recording.samples)?.repCount == 8)
  }

  @Test func invalidPatternBytesAreRejected() throws {
    let set = RepDetector.countSet(in: SyntheticMotion.curls(reps: 5).samples)
    let pattern = try #require(
      RepDetector.pattern(of: set, in: SyntheticMotion.curls(reps: 5).samples))
    var bytes = pattern.bytes
    #expect(MovementPattern(bytes: []) == nil)
    #expect(MovementPattern(bytes: Array(bytes.dropLast())) == nil)
    bytes[0] = 2
    #expect(MovementPattern(bytes: bytes) == nil)
    bytes = pattern.bytes
    for i in 12..<16 { bytes[i] = 0xFF }
    #expect(MovementPattern(bytes: bytes) == nil)
    #expect(
      MovementPattern(phases: [], durationSeconds: 1, similarity: 1, repCount: 1) == nil)
  }

  @Test func exercisesAreLookedUpByName() {
    #expect(ExercisePrior.named("Dumbbell Bicep Curl")?.name == "curl")
    #expect(ExercisePrior.named("PULL-UPS")?.name == "pull up")
    #expect(ExercisePrior.named("walking lunge")?.isAlternating == true)
    #expect(ExercisePrior.named("Alternating Dumbbell Curls")?.isAlternating == true)
    #expect(ExercisePrior.named("curl")?.isAlternating == false)
    #expect(ExercisePrior.named("chess") == nil)
    for prior in ExercisePrior.known { #expect(prior.periodSeconds.lowerBound > 0.3) }
  }

  @Test func movementsFasterThanTheExerciseAreNotASet() {
    let samples = SyntheticMotion.curls(reps: 20, period: 0.68, pause: 0).samples
    #expect(RepDetector.detectSets(in: samples).map(\.reps.count) == [20])
    #expect(Self.found(in: samples, SetHints(exercise: .named("curl"))).isEmpty)
    #expect(Self.found(in: samples, SetHints(expectedPeriodSeconds: 2.4)).isEmpty)
    #expect(
      Self.found(in: samples, SetHints(exercise: .named("jumping jack"))).map(\.reps.count) == [20])
    // A declared set is a set by definition.
    #expect(!Self.declared(in: samples, SetHints(exercise: .named("curl"))).reps.isEmpty)
  }

  @Test func expectedPeriodSeparatesOneRepFromTwo() {
    // Every second movement turns the forearm slightly the other way.
    let samples = Self.turns(seconds: 2, roll: 0.5)
    let single = SetHints(expectedPeriodSeconds: 2.1, isAlternating: false)
    let double = SetHints(expectedPeriodSeconds: 4.2, isAlternating: false)
    #expect(Self.declared(in: samples, single).reps.count == 12)
    #expect(Self.declared(in: samples, double).reps.count == 6)
    // A period that does not fit is not forced on the reps.
    let curls = SyntheticMotion.curls(reps: 12, pause: 0).samples
    #expect(Self.declared(in: curls, SetHints(expectedPeriodSeconds: 7)).reps.count == 12)
  }

  @Test func declaredAlternationCountsFastHalves() {
    let samples = Self.turns(seconds: 1, roll: 0.9)
    let both = Self.declared(in: samples, SetHints(isAlternating: true))
    #expect(both.reps.count == 12)
    #expect(both.sides == .bothSides)
    #expect(both.repsPerSide == 6)
    #expect(both.repsOfBothSides == 12)
    #expect(Self.found(in: samples, SetHints(isAlternating: true)).map(\.reps.count) == [12])
    let slow = Self.turns(seconds: 2, roll: 0.9)
    #expect(RepDetector.countSet(in: slow).sides == .bothSides)
    let cycles = Self.declared(in: slow, SetHints(isAlternating: false)).reps
    #expect(cycles.count == 6)
    // As confident as the halves they consist of.
    #expect(cycles.allSatisfy { $0.confidence > 0.6 })
  }

  @Test func onlyTheWatchSideIsCountedIfTheWristWaits() {
    let samples = SyntheticMotion.curls(reps: 8, pause: 2.4).samples
    #expect(RepDetector.countSet(in: samples).sides == nil)
    let set = Self.declared(in: samples, SetHints(exercise: .named("alternating curl")))
    #expect(set.reps.count == 8)
    #expect(set.sides == .watchSide)
    #expect(set.repsPerSide == 8)
    #expect(set.repsOfBothSides == 16)
  }

  @Test func targetDecidesOnlyADoubtfulRep() throws {
    // Which movement is doubtful depends on the fitted weights.
    let doubtful = try #require(
      stride(from: 0, to: 3, by: 0.02).lazy.map { roll in
        SyntheticMotion.swings(
          Array(repeating: SyntheticMotion.Swing(), count: 8)
            + [SyntheticMotion.Swing(range: 1.3, roll: roll)]
        ).samples
      }.first {
        let set = RepDetector.countSet(in: $0)
        return set.reps.count == 9 && set.confidence < 0.7
      })
    #expect(Self.declared(in: doubtful, SetHints(targetReps: 8)).reps.count == 8)
    let clear = SyntheticMotion.curls(reps: 8).samples
    for target in [1, 6, 7, 9, 12] {
      #expect(Self.declared(in: clear, SetHints(targetReps: target)).reps.count == 8)
    }
  }

  private static func found(in samples: MotionBatch, _ hints: SetHints) -> [CountedSet] {
    var configuration = DetectorConfiguration()
    configuration.hints = hints
    return RepDetector.detectSets(in: samples, configuration: configuration)
  }

  private static func declared(in samples: MotionBatch, _ hints: SetHints) -> CountedSet {
    var configuration = DetectorConfiguration()
    configuration.hints = hints
    return RepDetector.countSet(in: samples, configuration: configuration)
  }

  /// Returns twelve movements in which the forearm turns alternately one way and the other.
  private static func turns(seconds: Double, roll: Double) -> MotionBatch {
    let swings = (0..<12).map {
      SyntheticMotion.Swing(
        seconds: seconds, pause: 0.1, range: 1.6, roll: $0 % 2 == 0 ? roll : -roll)
    }
    return SyntheticMotion.swings(swings).samples
  }

  @Test func shortRunsHaveAReason() throws {
    var configuration = DetectorConfiguration()
    // Two slow, similar movements would be a set.
    configuration.hints.minimumReps = 3
    let diagnosis = RepDetector.diagnose(
      SyntheticMotion.curls(reps: 2).samples, configuration: configuration)
    #expect(diagnosis.sets.isEmpty)
    let few = diagnosis.rejections.contains {
      if case .tooFewReps(let count, let needed) = $0.reason { return count < needed }
      return false
    }
    #expect(few)
    for rejection in diagnosis.rejections {
      #expect(rejection.start <= rejection.end)
      #expect(!rejection.description.isEmpty)
    }
  }

  @Test func diagnosisFindsTheSameSets() {
    let samples = SyntheticMotion.curls(reps: 7).samples
    #expect(RepDetector.diagnose(samples).sets == RepDetector.detectSets(in: samples))
  }
}
