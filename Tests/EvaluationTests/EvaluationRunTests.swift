import RecordingInput
import TestSupport
import Testing

@testable import Evaluation

@Suite struct EvaluationRunTests {
  @Test(arguments: ["set1", "set1.csv"])
  func foldersSeparateRecordingsOfOneName(name: String) async throws {
    let folder = try TemporaryFolder()
    for (day, begin) in [("mon", 0.0), ("tue", 100.0)] {
      let rows = (0...50).map { "\(begin + Double($0) / 50),0,0,0" }
      let text = (["timestamp,rotationX,rotationY,rotationZ"] + rows).joined(separator: "\n")
      try folder.write(text, to: "\(day)/set1.csv")
    }
    let labels = [
      LabeledSet(recording: "mon/" + name, reps: 0, span: 0...1),
      LabeledSet(recording: "tue/" + name, reps: 0, span: 100...101),
      LabeledSet(recording: name, reps: 0),
    ]
    let run = try await EvaluationRun(
      labels: labels, recordingsFolder: folder.path, options: EvaluationOptions(mode: .found),
      loading: LoadingOptions())
    var outcomes: [EvaluationRun.Outcome] = []
    try await run.forEachRecording { outcomes.append($0) }
    try #require(outcomes.count == 3)
    for outcome in outcomes.prefix(2) {
      guard case .evaluated(let recording) = outcome else {
        Issue.record("not evaluated: \(outcome)")
        continue
      }
      // A label of the other recording would be outside of this one's times.
      #expect(recording.sets.count == 1)
      #expect(recording.warnings.isEmpty)
    }
    guard case .failed(let message) = outcomes[2] else {
      Issue.record("one name alone is of two recordings: \(outcomes[2])")
      return
    }
    #expect(message.contains("may be") && message.contains("mon/set1.csv"))

    let onThisThread = try EvaluationRun(
      onThisThread: labels, recordingsFolder: folder.path, options: EvaluationOptions(mode: .found),
      loading: LoadingOptions())
    let evaluated = (0..<onThisThread.count).map { "\(onThisThread.evaluate($0))" }
    #expect(evaluated == outcomes.map { "\($0)" })
  }

  @Test func breakdownsSortNumerically() {
    let values = ["S10", "100", "s2", "12.5", "S1", "25", ""]
    let sets = values.map {
      EvaluatedSet(label: LabeledSet(recording: "a", reps: 0, columns: ["kind": $0]), counted: [])
    }
    let report = EvaluationReport(
      [EvaluatedRecording(sets: sets)], options: EvaluationOptions(mode: .found))
    #expect(report.accuracy(by: "kind").map(\.value) == ["12.5", "25", "100", "S1", "s2", "S10"])
  }
}
