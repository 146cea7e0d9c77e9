import Motion
import MotionSynthesis
import Testing

@testable import Evaluation

@Suite struct EvaluatorTests {
  private let options = EvaluationOptions(mode: .found)

  /// A rep outside of all labels is false, whether or not its set is.
  @Test func repsOutsideLabelsAreFalse() throws {
    let made = try RecordingSynthesizer(
      SynthesisOptions(seed: 7, exercise: .curl, sets: 1, reps: 10, rate: .constant(50))
    ).make()
    let set = try #require(made.truth.first)
    let end = try #require(made.recording.samples.times.last)
    func evaluated(_ span: ClosedRange<Double>) -> EvaluatedRecording {
      Evaluator(options: options).evaluate(
        made.recording, labels: [LabeledSet(recording: "a", reps: 4, span: span)])
    }
    let short = evaluated(set.start...set.reps[3].end)
    #expect((3...6).contains(short.falseReps))
    #expect(short.falseSets == 0)
    #expect(short.repsInFalseSets == 0)
    let beside = evaluated(end + 10...end + 20)
    #expect(beside.falseReps == 10)
    #expect(beside.falseSets == 1)
    #expect(beside.repsInFalseSets == 10)
    let report = EvaluationReport([short, beside], options: options)
    #expect(report.falseReps == short.falseReps + 10)
    #expect(report.falseSets == 1)
    #expect(report.repsInFalseSets == 10)
  }

  @Test(
    arguments: [
      ([10...20], 86),
      // Spans that overlap, spans whose margins overlap, and spans in any order.
      ([10...20, 15...30], 76), ([22...30, 10...20], 76), ([10...30, 15...20], 76),
      // Spans at the ends and beyond them.
      ([1...5, 96...99], 87), ([-50...(-40), 200...210], 100), ([0...100], 0),
    ] as [([ClosedRange<Double>], Double)])
  func restExcludesLabelledSpans(spans: [ClosedRange<Double>], rest: Double) {
    #expect(Evaluator.restSeconds(from: 0, to: 100, outside: spans) == rest)
  }
}
