import Motion
import MotionSynthesis
import RepDetection
import Testing

/// What a caller knows beforehand, and what is said of what was not counted.
struct HintsTests {
  @Test func aPatternSurvivesItsBytes() throws {
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

  @Test func bytesThatAreNoPatternAreRefused() throws {
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

  @Test func aPatternMakesAShortSetASet() throws {
    let known = SyntheticMotion.curls(reps: 8)
    let set = RepDetector.countSet(in: known.samples)
    let pattern = try #require(RepDetector.pattern(of: set, in: known.samples))
    let short = SyntheticMotion.curls(reps: 2).samples
    var configuration = DetectorConfiguration()
    configuration.hints = SetHints(patterns: [pattern])
    #expect(
      RepDetector.detectSets(in: short, configuration: configuration).map(\.reps.count) == [2])
  }

  @Test func exercisesAreKnownByTheirNames() {
    #expect(ExercisePrior.named("Dumbbell Bicep Curl")?.name == "curl")
    #expect(ExercisePrior.named("PULL-UPS")?.name == "pull up")
    #expect(ExercisePrior.named("walking lunge")?.isAlternating == true)
    #expect(ExercisePrior.named("chess") == nil)
    for prior in ExercisePrior.known { #expect(prior.periodSeconds.lowerBound > 0.3) }
  }

  @Test func saysWhyShortRowsAreNotCounted() throws {
    var configuration = DetectorConfiguration()
    // Two slow movements that are alike would be a set.
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

  @Test func aDiagnosisFindsTheSameSets() {
    let samples = SyntheticMotion.curls(reps: 7).samples
    #expect(RepDetector.diagnose(samples).sets == RepDetector.detectSets(in: samples))
  }
}
