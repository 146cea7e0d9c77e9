import Foundation
import Motion
import RecordingInput

/// Evaluates all labelled recordings of a folder, in parallel over the cores.
package struct EvaluationRun: Sendable {
  package enum Outcome: Sendable {
    case evaluated(EvaluatedRecording)
    /// The folder has no recording of this name.
    case missing(String)
    /// A message naming the recording that could not be read.
    case failed(String)
  }

  private var labels: [(recording: String, rows: [LabeledSet])]
  private var unitOfName: [String: RecordingLoader.Unit]
  private var folder: String
  private var evaluator: Evaluator
  private var loader: RecordingLoader

  /// - Throws: `InputFailure` where the folder of recordings cannot be listed.
  package init(
    labels: [LabeledSet], recordingsFolder: String, options: EvaluationOptions,
    loading: LoadingOptions
  ) async throws {
    var order: [String] = []
    var rows: [String: [LabeledSet]] = [:]
    for label in labels {
      if rows[label.recording] == nil { order.append(label.recording) }
      rows[label.recording, default: []].append(label)
    }
    self.labels = order.map { ($0, rows[$0] ?? []) }
    folder = recordingsFolder
    evaluator = Evaluator(options: options)
    loader = RecordingLoader(options: loading)
    unitOfName = [:]
    let inputs = InputScanner.scan([recordingsFolder])
    for input in inputs {
      switch input.kind {
      case .missing:
        throw InputFailure(path: input.path, kind: .missing, message: "no such folder")
      case .unreadable(let reason):
        throw InputFailure(path: input.path, kind: .unreadable, message: reason)
      case .file, .folder: break
      }
    }
    for unit in try await loader.plan(inputs) {
      for name in Self.names(of: unit, in: recordingsFolder) { unitOfName[name] = unit }
    }
  }

  /// The names by which labels may call a recording: a file's name without its extension; a group
  /// of chunk files by its folder, or its folder and its set.
  private static func names(of unit: RecordingLoader.Unit, in folder: String) -> [String] {
    func stem(_ path: String) -> String {
      ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    }
    switch unit {
    case .file(let file): return [stem(file.path)]
    case .sensorFiles(let name, let files):
      return [(name as NSString).lastPathComponent] + files.map { stem($0.path) }
    case .stream(let file, _): return [stem(file.path)]
    case .chunks(let name, let chunks):
      let relative = name.hasPrefix(folder) ? String(name.dropFirst(folder.count)) : name
      let path = relative.hasPrefix("/") ? String(relative.dropFirst()) : relative
      let single =
        Set(chunks.map(\.file.path)).count == 1 ? chunks.first.map { stem($0.file.path) } : nil
      return [path, (path as NSString).lastPathComponent, single].compactMap { $0 }
    case .failed, .skipped, .nothing: return []
    }
  }

  /// - Parameter deliver: called in the order of the labels.
  package func forEachRecording(_ deliver: (Outcome) throws -> Void) async throws {
    let evaluator = informedEvaluator()
    try await mapInOrder(
      labels, { self.evaluate($0.recording, $0.rows, evaluator) }, deliver: deliver)
  }

  /// The evaluator with the movements of the first sets that are good to learn from, where asked for.
  private func informedEvaluator() -> Evaluator {
    guard evaluator.options.hints.contains(.patterns) else { return evaluator }
    var result: [PatternKey: LearnedPattern] = [:]
    for (name, rows) in labels {
      for row in rows where result[PatternKey(row)] == nil {
        guard let recording = try? recording(name, rows).get(),
          let pattern = evaluator.pattern(of: row, in: recording)
        else { continue }
        result[PatternKey(row)] = LearnedPattern(recording: name, pattern: pattern)
      }
    }
    var informed = evaluator
    informed.options.patterns = result
    return informed
  }

  private func evaluate(
    _ name: String, _ rows: [LabeledSet], _ evaluator: Evaluator
  ) -> Outcome {
    switch recording(name, rows) {
    case .success(let recording): .evaluated(evaluator.evaluate(recording, labels: rows))
    case .failure(let error): error.isMissing ? .missing(error.message) : .failed(error.message)
    }
  }

  /// A recording that is missing or could not be read, with a message that names it.
  private struct RecordingError: Error {
    var message: String
    var isMissing = false
  }

  private func recording(
    _ name: String, _ rows: [LabeledSet]
  ) -> Result<Recording, RecordingError> {
    func failure(_ message: String) -> Result<Recording, RecordingError> {
      .failure(RecordingError(message: message))
    }
    guard let unit = unitOfName[name] else {
      let message = "\(folder): no recording named \(name) (label in line \(rows[0].line))"
      return .failure(RecordingError(message: message, isMissing: true))
    }
    // Sensor files that do not fit together are several; the first is the labelled one.
    switch loader.load(unit).first {
    case .recording(let loaded):
      // A recording of several parts is evaluated over all its samples.
      guard var recording = loaded.parts.first?.recording else {
        return failure("\(folder): \(name) has no samples")
      }
      for part in loaded.parts.dropFirst() { recording.samples.append(part.recording.samples) }
      return .success(recording)
    case .failed(let problem): return failure(problem.description)
    case .skipped, nil: return failure("\(folder): \(name) is no recording")
    }
  }
}
