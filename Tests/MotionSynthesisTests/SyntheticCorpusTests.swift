import Testing

@testable import MotionSynthesis

@Suite("A corpus")
struct SyntheticCorpusTests {
  @Test("Covers all families, difficulties, rates and faults; names are unique")
  func coverage() {
    let corpus = SyntheticCorpus(seed: 1, count: 600)
    #expect(Set(corpus.map(\.exercise)).count == ExerciseFamily.allCases.count)
    #expect(Set(corpus.map(\.difficulty)).count == 2)
    #expect(Set(corpus.map(\.rate)).count == 6)
    #expect(Set(corpus.flatMap(\.faults)) == Set(SignalFault.allCases))
    #expect(Set(corpus.map(\.name)).count == 600)
    #expect(Set(corpus.map(\.seed)).count == 600)
  }

  @Test("Each recording can be made independently")
  func independence() {
    let small = SyntheticCorpus(seed: 5, count: 10)
    let large = SyntheticCorpus(seed: 5, count: 1000)
    #expect(Array(small) == Array(large.prefix(10)))
    #expect(SyntheticCorpus(seed: 6, count: 10)[3].seed != small[3].seed)
  }

  @Test("Reps are plausible throughout")
  func plausible() throws {
    for options in SyntheticCorpus(seed: 2, count: 48) {
      let made = try RecordingSynthesizer(options).make()
      for set in made.truth {
        #expect((5...15).contains(set.reps.count))
        for rep in set.reps { #expect((0.4...14).contains(rep.end - rep.start)) }
        for (rep, next) in zip(set.reps, set.reps.dropFirst()) {
          #expect(rep.end <= next.start + 1e-9)
        }
      }
      for channel in made.recording.samples.channels {
        let broken = made.recording.samples[channel].filter { !$0.isFinite }
        #expect(broken.isEmpty)
      }
    }
  }
}
