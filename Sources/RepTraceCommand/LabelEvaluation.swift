import ArgumentParser
import Evaluation
import Foundation
import RepTrace

/// Evaluation for commands, with errors on standard error and the exit statuses that scripts rely on.
enum LabelEvaluation {
  static func rows(ofFile path: String) throws -> [LabeledSet] {
    let text = try NamedFile.text(of: path)
    return try NamedFile.decoding(path) { try LabeledSet.parse(csv: text) }
  }

  /// - Returns: The report, and the number of recordings that are missing or unreadable.
  static func run(
    _ rows: [LabeledSet], recordings: String, options: EvaluationOptions, loading: LoadingOptions
  ) async throws -> (report: EvaluationReport, failures: Int) {
    let run: EvaluationRun
    do {
      run = try await EvaluationRun(
        labels: rows, recordingsFolder: recordings, options: options, loading: loading)
    } catch let failure as InputFailure {
      throw failure.status.noting("\(failure)")
    }
    var evaluated: [EvaluatedRecording] = []
    var failures = 0
    var missing = 0
    try await run.forEachRecording { outcome in
      switch outcome {
      case .evaluated(let recording):
        evaluated.append(recording)
        for warning in recording.warnings { StandardStreams.note("labels, \(warning)") }
      case .missing(let message):
        failures += 1
        missing += 1
        StandardStreams.note(message)
      case .failed(let message):
        failures += 1
        StandardStreams.note(message)
      }
    }
    guard !evaluated.isEmpty else {
      throw missing == failures ? ExitStatus.noInputExists : ExitStatus.noInputDecoded
    }
    return (EvaluationReport(evaluated, options: options), failures)
  }
}
