import Motion
import Testing

@testable import MotionSynthesis

@Suite("Recordings follow their options")
struct RecordingSynthesizerTests {
  @Test("Equal seeds give equal bits, others do not", arguments: [1, 42] as [UInt64])
  func determinism(seed: UInt64) throws {
    let first = try RecordingSynthesizer(SynthesisOptions(seed: seed)).make()
    let second = try RecordingSynthesizer(SynthesisOptions(seed: seed)).make()
    let other = try RecordingSynthesizer(SynthesisOptions(seed: seed + 1)).make()
    #expect(first.truth == second.truth)
    #expect(first.recording.samples.count == second.recording.samples.count)
    for channel in first.recording.samples.channels {
      #expect(first.recording.samples[channel] == second.recording.samples[channel])
    }
    #expect(first.recording.samples.times != other.recording.samples.times)
  }

  @Test("Sets and reps are as requested and in order", arguments: ExerciseFamily.allCases)
  func counts(family: ExerciseFamily) throws {
    for (seed, difficulty) in zip(1..., Difficulty.allCases) {
      let made = try RecordingSynthesizer(
        SynthesisOptions(
          seed: UInt64(seed), exercise: family, difficulty: difficulty, sets: 2, reps: 7,
          partialReps: 2)
      ).make()
      #expect(made.exercise == family)
      #expect(made.truth.count == 2)
      var previousSetEnd = -Double.infinity
      for set in made.truth {
        #expect(set.reps.count == 7)
        #expect(set.partialReps.count == 2)
        #expect(set.start > previousSetEnd)
        previousSetEnd = set.execution.upperBound
        #expect(set.execution.contains(set.start) && set.execution.contains(set.end))
        #expect(set.start == set.reps.first?.start && set.end == set.reps.last?.end)
        let all = (set.reps + set.partialReps).sorted { $0.start < $1.start }
        for (rep, next) in zip(all, all.dropFirst()) { #expect(rep.end <= next.start + 1e-9) }
        for rep in set.reps {
          #expect((0.4...14).contains(rep.end - rep.start))
          #expect(rep.range > 0.6)
          #expect(rep.outStart <= rep.start && rep.end <= rep.backEnd)
          #expect(rep.outEnd <= rep.backStart)
          #expect(rep.peakAngularSpeed > 0.1)
        }
        for rep in set.partialReps { #expect(rep.range < 0.5) }
      }
    }
  }

  @Test("The rates of the watch app: 50 Hz in execution, 20 Hz at rest")
  func rates() throws {
    let made = try RecordingSynthesizer(SynthesisOptions(seed: 3, sets: 1)).make()
    let times = made.recording.samples.times
    #expect(made.recording.phases.map(\.phase) == [.rest, .execution, .rest])
    for span in made.recording.phases {
      let expected = span.phase == .execution ? 0.02 : 0.05
      for row in span.rows.dropLast() where row + 1 < span.rows.upperBound {
        #expect(abs(times[row + 1] - times[row] - expected) < 0.001)
      }
    }
    let rows = made.recording.phases.map(\.rows.count).reduce(0, +)
    #expect(rows == times.count)
  }

  @Test("Constant rates", arguments: [12.5, 20, 50, 100])
  func constantRate(hertz: Double) throws {
    let made = try RecordingSynthesizer(
      SynthesisOptions(seed: 4, sets: 1, reps: 5, rate: .constant(hertz))
    ).make()
    let times = made.recording.samples.times
    let mean = (times[times.count - 1] - times[0]) / Double(times.count - 1)
    #expect(abs(mean * hertz - 1) < 1e-4)
  }

  @Test("Only dropouts leave gaps")
  func dropouts() throws {
    func longest(_ faults: Set<SignalFault>) throws -> Double {
      let made = try RecordingSynthesizer(
        SynthesisOptions(seed: 5, rate: .constant(50), faults: faults)
      ).make()
      let times = made.recording.samples.times
      return zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? 0
    }
    #expect(try longest([]) < 0.022)
    #expect(try longest([.jitter]) < 0.045)
    #expect(try longest([.dropouts]) > 0.15)
  }

  @Test("The truth has the requested tempo and loss of speed")
  func tempoAndFatigue() throws {
    let tempo = Tempo(concentric: 1, contractedPause: 0.5, eccentric: 2, stretchedPause: 0.5)
    let made = try RecordingSynthesizer(
      SynthesisOptions(seed: 6, exercise: .curl, sets: 1, reps: 12, tempo: tempo, velocityLoss: 0.3)
    ).make()
    let set = made.truth[0]
    let times = set.reps[0].phaseTimes(of: .curl)
    #expect(abs(times.concentric - 1) < 0.15)
    #expect(abs(times.eccentric - 2) < 0.3)
    #expect((20...50).contains(set.velocityLossPercent))
    let last = set.reps[11].phaseTimes(of: .curl)
    #expect(last.concentric > 1.2)
  }

  @Test("Options outside their range are rejected by name")
  func rejection() {
    #expect(throws: SynthesisError.outOfRange(option: "reps", value: 0, allowed: 1...100)) {
      try RecordingSynthesizer(SynthesisOptions(seed: 1, reps: 0))
    }
    #expect(throws: SynthesisError.self) {
      try RecordingSynthesizer(SynthesisOptions(seed: 1, rate: .constant(.nan)))
    }
    #expect(throws: SynthesisError.self) {
      try RecordingSynthesizer(
        SynthesisOptions(seed: 1, tempo: Tempo(concentric: .infinity, eccentric: 1)))
    }
  }
}
