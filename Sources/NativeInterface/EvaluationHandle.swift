// Functions have the names that C calls them by.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRepTrace
import Evaluation
import RecordingInput
import RepDetection
import Synchronization
import TextFormats

/// `reptrace_evaluation`.
final class EvaluationHandle: Sendable {
  private let run: EvaluationRun
  private let options: EvaluationOptions
  /// Outcomes by index; nil until counted.
  private let outcomes: Mutex<[EvaluationRun.Outcome?]>

  init(_ run: EvaluationRun, options: EvaluationOptions) {
    self.run = run
    self.options = options
    outcomes = Mutex(Array(repeating: nil, count: run.count))
  }

  var count: Int { run.count }

  func evaluate(_ index: Int) throws {
    try checkIndex(index, of: count, "recordings")
    let outcome = run.evaluate(index)
    outcomes.withLock { $0[index] = outcome }
  }

  func report(by columns: [String]) -> String {
    var evaluated: [EvaluatedRecording] = []
    var failures: [String] = []
    for outcome in outcomes.withLock({ $0 }) {
      switch outcome {
      case .evaluated(let recording): evaluated.append(recording)
      case .missing(let message), .failed(let message): failures.append(message)
      case nil: break
      }
    }
    return JSONObjectText([
      "report": .json(EvaluationReport(evaluated, options: options).json(by: columns)),
      "failures": .texts(failures), "warnings": .texts(evaluated.flatMap(\.warnings)),
    ]).text
  }
}

extension EvaluationOptions {
  /// Reads a caller's options; NULL means the defaults.
  fileprivate init(
    _ options: UnsafePointer<reptrace_evaluation_options>?, hints: UnsafePointer<reptrace_hints>?
  ) throws {
    self.init(mode: .found, detector: try DetectorConfiguration(hints: hints))
    guard let chosen = options?.pointee else { return }
    try checkSize(chosen.struct_size, of: reptrace_evaluation_options.self, "options")
    switch Int32(chosen.mode) {
    case REPTRACE_FOUND: mode = .found
    case REPTRACE_GIVEN: mode = .given
    default: throw Failure.invalidArgument("mode is \(chosen.mode); expected 0 or 1")
    }
    try require(
      chosen.rate == 0 || (1...1000).contains(chosen.rate),
      "rate is \(chosen.rate); expected 1 to 1000 Hz")
    if chosen.rate > 0 { rateHz = chosen.rate }
    try require(
      (-60...60).contains(chosen.margin), "margin is \(chosen.margin); expected -60 to 60 s")
    marginSeconds = chosen.margin
  }
}

@c @implementation
public func reptrace_evaluation_open(
  _ labels: UnsafePointer<CChar>?, _ folder: UnsafePointer<CChar>?,
  _ options: UnsafePointer<reptrace_evaluation_options>?, _ hints: UnsafePointer<reptrace_hints>?,
  _ reading: UnsafePointer<reptrace_reading>?,
  _ evaluation: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let labels = try LabeledSet.parse(csv: String(cString: required(labels, "labels")))
    let folder = String(cString: try required(folder, "folder"))
    let result = try required(evaluation, "evaluation")
    let options = try EvaluationOptions(options, hints: hints)
    let run = try EvaluationRun(
      onThisThread: labels, recordingsFolder: folder, options: options,
      loading: LoadingOptions(reading))
    result.pointee = Handle.create(EvaluationHandle(run, options: options))
  }
}

@c @implementation
public func reptrace_evaluation_size(_ evaluation: OpaquePointer?) -> Int {
  evaluation.map { Handle.object($0, as: EvaluationHandle.self).count } ?? 0
}

@c @implementation
public func reptrace_evaluation_count(
  _ evaluation: OpaquePointer?, _ index: Int, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    try Handle.object(evaluation, "evaluation", as: EvaluationHandle.self).evaluate(index)
  }
}

@c @implementation
public func reptrace_evaluation_report(
  _ evaluation: OpaquePointer?, _ columns: UnsafePointer<UnsafePointer<CChar>?>?,
  _ columnCount: Int, _ report: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let evaluation = try Handle.object(evaluation, "evaluation", as: EvaluationHandle.self)
    let result = try required(report, "report")
    let columns = try texts(columns, columnCount, "columns")
    result.pointee = Handle.create(LentValues(evaluation.report(by: columns).utf8))
  }
}

@c @implementation
public func reptrace_evaluation_destroy(_ evaluation: OpaquePointer?) {
  Handle.destroy(evaluation, EvaluationHandle.self)
}
