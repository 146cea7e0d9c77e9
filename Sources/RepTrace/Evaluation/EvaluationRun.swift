import Foundation

/// Evaluates all labelled recordings of a folder, in parallel over the cores.
public struct EvaluationRun: Sendable {
  public enum Outcome: Sendable {
    case evaluated(EvaluatedRecording)
    /// A message naming the recording that is missing or could not be read.
    case failed(String)
  }

  private var labels: [(recording: String, rows: [LabeledSet])]
  private var fileOfName: [String: InputFile]
  private var folder: String
  private var evaluator: Evaluator
  private var loader: RecordingLoader

  /// - Throws: ``InputFailure`` where the folder of recordings cannot be listed.
  public init(
    labels: [LabeledSet], recordingsFolder: String, options: EvaluationOptions,
    loading: LoadingOptions
  ) throws {
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
    fileOfName = [:]
    for input in InputScanner.scan([recordingsFolder]) {
      switch input.kind {
      case .missing:
        throw InputFailure(path: input.path, kind: .missing, message: "no such folder")
      case .unreadable(let reason):
        throw InputFailure(path: input.path, kind: .unreadable, message: reason)
      case .file, .folder: break
      }
      for file in input.files {
        let name = (file.path as NSString).lastPathComponent
        fileOfName[(name as NSString).deletingPathExtension] = file
      }
    }
  }

  /// - Parameter deliver: called in the order of the labels.
  public func forEachRecording(_ deliver: (Outcome) throws -> Void) async throws {
    try await mapInOrder(labels, { self.evaluate($0.recording, $0.rows) }, deliver: deliver)
  }

  private func evaluate(_ name: String, _ rows: [LabeledSet]) -> Outcome {
    guard let file = fileOfName[name] else {
      return .failed("\(folder): no recording named \(name) (label in line \(rows[0].line))")
    }
    switch loader.load(.file(file)) {
    case .recording(let loaded):
      // A recording of several parts is evaluated over all its samples.
      guard var recording = loaded.parts.first?.recording else {
        return .failed("\(file.path): no samples")
      }
      for part in loaded.parts.dropFirst() { recording.samples.append(part.recording.samples) }
      return .evaluated(evaluator.evaluate(recording, labels: rows))
    case .failed(let failure): return .failed(failure.description)
    case .skipped, .nothing: return .failed("\(file.path): no recording")
    }
  }
}
