import Motion
import RecordingInput

/// Evaluates all labeled recordings of a folder, in parallel on all cores.
package struct EvaluationRun: Sendable {
  package enum Outcome: Sendable {
    case evaluated(EvaluatedRecording)
    /// The folder has no recording with this name.
    case missing(String)
    /// The recording could not be read; the message names it.
    case failed(String)
  }

  private var labels: [(recording: String, rows: [LabeledSet])]
  private var unitsOfName: [String: [RecordingLoader.Unit]]
  private var folder: String
  private var evaluator: Evaluator
  private var loader: RecordingLoader

  /// - Throws: `InputFailure` if the folder of recordings cannot be listed.
  package init(
    labels: [LabeledSet], recordingsFolder: String, options: EvaluationOptions,
    loading: LoadingOptions
  ) async throws {
    let loader = RecordingLoader(options: loading)
    let units = try await loader.plan(Self.inputs(in: recordingsFolder))
    self.init(labels, recordingsFolder, units, loader, options)
  }

  /// Creates a run that starts no threads, neither here nor in ``evaluate(_:)``, for programs that fork.
  ///
  /// - Throws: `InputFailure` if the folder of recordings cannot be listed.
  package init(
    onThisThread labels: [LabeledSet], recordingsFolder: String, options: EvaluationOptions,
    loading: LoadingOptions
  ) throws {
    let loader = RecordingLoader(options: loading)
    let units = loader.planSequentially(try Self.inputs(in: recordingsFolder))
    self.init(labels, recordingsFolder, units, loader, options)
  }

  private init(
    _ labels: [LabeledSet], _ folder: String, _ units: [RecordingLoader.Unit],
    _ loader: RecordingLoader, _ options: EvaluationOptions
  ) {
    var order: [String] = []
    var rows: [String: [LabeledSet]] = [:]
    for label in labels {
      if rows[label.recording] == nil { order.append(label.recording) }
      rows[label.recording, default: []].append(label)
    }
    self.labels = order.map { ($0, rows[$0] ?? []) }
    self.folder = folder
    self.loader = loader
    evaluator = Evaluator(options: options)
    unitsOfName = [:]
    for unit in units {
      for name in Self.names(of: unit, in: folder) {
        unitsOfName[name, default: []].append(unit)
      }
    }
  }

  private static func inputs(in folder: String) throws -> [ScannedInput] {
    let inputs = InputScanner.scan([folder])
    for input in inputs {
      switch input.kind {
      case .missing:
        throw InputFailure(path: input.path, kind: .missing, message: "no such folder")
      case .unreadable(let reason):
        throw InputFailure(path: input.path, kind: .unreadable, message: reason)
      case .file, .folder: break
      }
    }
    return inputs
  }

  /// Returns the names by which labels may refer to a recording: the file's name, with or without its
  /// extension; for a group of files, its folder, or its folder and set. Parent folders may precede the name,
  /// to distinguish equal names.
  private static func names(of unit: RecordingLoader.Unit, in folder: String) -> Set<String> {
    func relative(_ path: String) -> String {
      let rest = path.hasPrefix(folder) ? path.dropFirst(folder.count) : path[...]
      return String(rest.hasPrefix("/") ? rest.dropFirst() : rest)
    }
    func fileNames(_ path: String) -> [String] {
      let names = RecordingLabels.names(ofRecording: path)
      let parent = PathParts(relative(path)).folder
      return parent.isEmpty ? names : names + names.map { parent + "/" + $0 }
    }
    func groupNames(_ name: String) -> [String] {
      [relative(name), String(PathParts(name).name)]
    }
    switch unit {
    case .file(let file): return Set(fileNames(file.path))
    case .stream(let planned, _): return Set(fileNames(planned.file.path))
    case .sensorFiles(let name, let files):
      return Set(groupNames(name) + files.flatMap { fileNames($0.path) })
    case .chunks(let name, let chunks):
      let files = Set(chunks.map(\.file.path))
      return Set(groupNames(name) + (files.count == 1 ? files.flatMap(fileNames) : []))
    case .failed, .skipped, .nothing: return []
    }
  }

  /// Number of labeled recordings.
  package var count: Int { labels.count }

  /// Evaluates the recording at an index, in the order of the labels, without ``EvaluationHint/patterns``.
  package func evaluate(_ index: Int) -> Outcome {
    evaluate(labels[index].recording, labels[index].rows, evaluator)
  }

  /// - Parameter deliver: Called in the order of the labels.
  package func forEachRecording(_ deliver: (Outcome) throws -> Void) async throws {
    let evaluator = informedEvaluator()
    try await mapInOrder(
      labels, { self.evaluate($0.recording, $0.rows, evaluator) }, deliver: deliver)
  }

  /// Returns the evaluator with the movements of the first suitable sets, if requested.
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

  private func evaluate(_ name: String, _ rows: [LabeledSet], _ evaluator: Evaluator) -> Outcome {
    switch recording(name, rows) {
    case .success(let recording): .evaluated(evaluator.evaluate(recording, labels: rows))
    case .failure(let error): error.isMissing ? .missing(error.message) : .failed(error.message)
    }
  }

  /// A missing or unreadable recording, with a message that names it.
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
    var units = unitsOfName[name] ?? []
    if units.count > 1 {
      // Other files may have the same name as a recording.
      let recordings = units.filter { unit in
        loader.load(unit).contains { if case .recording = $0 { true } else { false } }
      }
      guard recordings.count < 2 else {
        let names = recordings.compactMap(\.name).joined(separator: " or ")
        return failure("\(folder): \(name) may be \(names) (label in line \(rows[0].line))")
      }
      if !recordings.isEmpty { units = recordings }
    }
    guard let unit = units.first else {
      let message = "\(folder): no recording named \(name) (label in line \(rows[0].line))"
      return .failure(RecordingError(message: message, isMissing: true))
    }
    // Sensor files that do not fit together give several recordings; the first is the labeled one.
    switch loader.load(unit).first {
    case .recording(let loaded):
      // A recording with several parts is evaluated over all its samples.
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
