import ArgumentParser
import Evaluation
import Foundation
import RepTrace

/// Evaluation as commands run it: what goes wrong is said on standard error, with the exit status
/// that scripts rely on.
enum LabelEvaluation {
  static func rows(ofFile path: String) throws -> [LabeledSet] {
    let text = try NamedFile.text(of: path)
    do {
      return try LabeledSet.parse(csv: text)
    } catch {
      StandardStreams.note("\(path): \(error)")
      throw ExitStatus.noInputDecoded
    }
  }

  /// - Returns: the figures, and how many recordings are missing or could not be read.
  static func run(
    _ rows: [LabeledSet], recordings: String, options: EvaluationOptions, loading: LoadingOptions
  ) async throws -> (report: EvaluationReport, failures: Int) {
    let run: EvaluationRun
    do {
      run = try await EvaluationRun(
        labels: rows, recordingsFolder: recordings, options: options, loading: loading)
    } catch let failure as InputFailure {
      StandardStreams.note(failure.description)
      throw failure.kind == .missing ? ExitStatus.noInputExists : ExitStatus.noInputDecoded
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
