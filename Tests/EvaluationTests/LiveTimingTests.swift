import Motion
import Testing

@testable import Evaluation

/// Timing of the live count, on sets of reps of two seconds.
@Suite struct LiveTimingTests {
  private let reps = (0..<4).map {
    CountedRep(start: 2 * Double($0), end: 2 * Double($0) + 2, confidence: 1)
  }

  private func shown(_ delays: [Double]) -> [LiveTiming.Shown] {
    delays.enumerated().map { index, delay in
      LiveTiming.Shown(
        time: reps[index].end + delay, count: index + 1,
        rep: reps[index].start...reps[index].end)
    }
  }

  @Test func perfectCountsAreCorrect() {
    let timing = LiveTiming(shown: shown([0, 0, 0, 0]), reps: reps)
    #expect(timing.delays == [0, 0, 0, 0])
    #expect(timing.repsInTime == 4)
    // From 2 s to 8.5 s, four times per second.
    #expect(timing.checks == 27)
    #expect(timing.correctChecks == 27)
    #expect(timing.corrections == 0)
  }

  @Test func halfASecondIsAllowed() {
    let timing = LiveTiming(shown: shown([0.5, 0.5, 0.5, 0.5]), reps: reps)
    #expect(timing.repsInTime == 4)
    #expect(timing.correctChecks == timing.checks)
    #expect(LiveTiming(shown: shown([0.6, 0, 0, 0]), reps: reps).repsInTime == 3)
  }

  /// All reps are announced when the third has ended; until then the count is behind.
  @Test func lateEventsAreWrong() {
    let timing = LiveTiming(shown: shown([4, 2, 0, 0]), reps: reps)
    #expect(timing.delays == [4, 2, 0, 0])
    #expect(timing.repsInTime == 2)
    #expect(timing.repsNotLate == 2)
    // Correct at 2.0 and 2.25 s, since the first rep may still be announced, and again from 6 s on.
    #expect(timing.checks - timing.correctChecks == 14)
  }

  @Test func earlyEventsAreWrong() {
    let timing = LiveTiming(shown: shown([0, -1, 0, 0]), reps: reps)
    #expect(timing.delays == [0, -1, 0, 0])
    #expect(timing.repsInTime == 3)
    #expect(timing.repsNotLate == 4)
    #expect(timing.checks - timing.correctChecks == 4)
  }

  /// A false rep before the set is withdrawn before the first rep ends.
  @Test func correctionsAreCounted() {
    let early = [
      LiveTiming.Shown(time: -1, count: 1, rep: -3...(-1)), LiveTiming.Shown(time: 1, count: 0),
    ]
    let timing = LiveTiming(shown: early + shown([0, 0, 0, 0]), reps: reps)
    #expect(timing.corrections == 1)
    #expect(timing.delays == [0, 0, 0, 0])
    #expect(timing.correctChecks == timing.checks)
  }

  /// A rep announced only by a correction has that event; a rep without any event has no delay.
  @Test func repsWithoutAnEvent() {
    let timing = LiveTiming(shown: [LiveTiming.Shown(time: 8, count: 2)], reps: reps)
    #expect(timing.delays == [6, 4, nil, nil])
    #expect(timing.corrections == 1)
  }

  /// A movement before the set does not announce its first rep, whether or not it is withdrawn.
  @Test func eventsBeforeARepDoNotAnnounceIt() {
    let before = LiveTiming.Shown(time: -1, count: 1, rep: -3...(-1))
    #expect(LiveTiming(shown: [before], reps: reps).delays == [nil, nil, nil, nil])
    let second = LiveTiming.Shown(time: 4.5, count: 2, rep: 2...4)
    #expect(LiveTiming(shown: [before, second], reps: reps).delays == [2.5, 0.5, nil, nil])
  }

  @Test func setsWithoutRepsHaveNoStatistics() {
    let timing = LiveTiming(shown: shown([0]), reps: [])
    #expect(timing.checks == 0)
    #expect(timing.delays.isEmpty)
  }

  @Test func statisticsAreSeparatedByCause() {
    let soon = LiveTiming(shown: shown([0.4, 0, 0, 0]), reps: reps)
    let late = LiveTiming(shown: shown([4, 2, 0, 0]), reps: reps)
    let untold = LiveTiming(shown: [], reps: reps)
    let report = LiveEvaluationReport([
      FollowedRecording(sets: [
        FollowedSet(recording: "a", cause: .declared, timing: soon),
        FollowedSet(recording: "a", cause: .detected, timing: late, recognitionSeconds: 6),
      ]),
      FollowedRecording(
        sets: [
          FollowedSet(recording: "b", cause: .declared, timing: late),
          FollowedSet(recording: "c", cause: .declared, timing: untold),
        ], falseSets: 2),
    ])
    #expect(report.declared.sets == 3)
    #expect(report.declared.firstRepMedian == 4)
    #expect(report.declared.promptFirstReps == 1)
    #expect(report.declared.repsInTime == 6)
    #expect(report.declared.inTimeFraction == 0.5)
    #expect(report.declared.notLateFraction == 0.5)
    #expect(report.declared.recognitionMedian == nil)
    #expect(report.found.sets == 1)
    #expect(report.found.recognitionMedian == 6)
    #expect(report.falseSets == 2)
  }
}
