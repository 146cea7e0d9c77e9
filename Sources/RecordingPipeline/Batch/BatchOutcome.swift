import Digests
import Foundation
import Motion
import RecordingInput
import WorkoutHistory

/// The outcome of a recording in a batch, or of an input that is not a recording.
package struct BatchOutcome: Sendable {
  /// One of the recording's files.
  package struct Input: Sendable, Hashable, Codable {
    package var path: String
    package var byteCount: Int
    /// SHA-256 of the decompressed content, in hexadecimal.
    package var sha256: String
  }

  /// The recording's name, or the path of a failed input.
  package var name: String
  package var inputs: [Input]
  /// The recording's identity: a hash of its name, label and content; nil if it could not be read.
  package var key: String?
  /// The recording's outcomes; empty if an earlier run finished it.
  package var outcomes: [ProcessingOutcome] = []
  /// Facts by recording name. Sensor files that do not fit together give several recordings.
  package var facts: [String: RecordingFacts] = [:]
  /// Time spans of recordings with a single sensor, by recording name.
  package var spans: [String: SensorFileSpan] = [:]
  /// Processing time, in seconds.
  package var seconds = 0.0
}

extension ProcessingPipeline {
  /// Processes files and folders like `run(paths:deliver:)`, with the information that a batch needs.
  ///
  /// - Parameters:
  ///   - isFinished: Returns whether an earlier run finished the recording with this key. A finished
  ///     recording is not counted again.
  ///   - deliver: Called for each recording in order, with the total number of recordings.
  package func runBatch(
    paths: [String], isFinished: @escaping @Sendable (String) -> Bool,
    deliver: (BatchOutcome, _ total: Int) throws -> Void
  ) async throws {
    let inputs = InputScanner.scan(paths)
    let loader = RecordingLoader(options: options.loading)
    let units = try await loader.plan(inputs)
    let pipeline = try resolved(for: units)
    var skipped = Set<String>()
    try await mapInOrder(
      units, width: width,
      { unit -> BatchOutcome in
        let start = ContinuousClock.now
        var outcome = pipeline.outcome(of: unit, loader, isFinished)
        outcome.seconds = start.duration(to: .now) / .seconds(1)
        return outcome
      },
      deliver: { outcome in
        for case .skipped(let path) in outcome.outcomes { skipped.insert(path) }
        try deliver(outcome, units.count)
      })
    for failure in foldersWithoutRecording(inputs, skipped: skipped) {
      try deliver(
        BatchOutcome(name: failure.path, inputs: [], outcomes: [.failed(failure)]), units.count)
    }
  }

  private func outcome(
    of unit: RecordingLoader.Unit, _ loader: RecordingLoader,
    _ isFinished: @Sendable (String) -> Bool
  ) -> BatchOutcome {
    var outcome = BatchOutcome(name: unit.name ?? "", inputs: loader.inputs(of: unit))
    if let name = unit.name, !outcome.inputs.isEmpty {
      let key = Self.key(
        name, options.labels.label(ofRecording: name), outcome.inputs, loader.companions(of: unit))
      outcome.key = key
      if isFinished(key) { return outcome }
    }
    for loaded in loader.load(unit) {
      switch loaded {
      case .failed(let failure):
        outcome.outcomes.append(.failed(failure))
        if unit.name == nil { outcome.name = failure.path }
      case .skipped(let path):
        outcome.outcomes.append(.skipped(path))
        if unit.name == nil { outcome.name = path }
      case .recording(let recording):
        outcome.outcomes.append(.recording(process(recording)))
        outcome.facts[recording.name] = RecordingFacts(recording)
        outcome.spans[recording.name] = SensorFileSpan(recording)
      }
    }
    return outcome
  }

  private static func key(
    _ name: String, _ label: RecordingLabel, _ inputs: [BatchOutcome.Input], _ companions: [UInt8]
  ) -> String {
    var hash = SHA256()
    hash.update("\(name)\0\(label)\0".utf8)
    for input in inputs { hash.update("\(input.path)\0\(input.sha256)\0".utf8) }
    hash.update(companions)
    return hash.finalize().hexadecimalDigits
  }
}

extension RecordingLoader {
  private func files(of unit: Unit) -> [InputFile] {
    switch unit {
    case .file(let file): [file]
    case .sensorFiles(_, let files): files
    case .stream(let planned, _): [planned.file]
    case .chunks(_, let chunks):
      chunks.map(\.file).reduce(into: [InputFile]()) { files, file in
        if files.last != file { files.append(file) }
      }
    case .failed, .skipped, .nothing: []
    }
  }

  /// Returns the content of the companion files that describe the format of a recording's files.
  fileprivate func companions(of unit: Unit) -> [UInt8] {
    var seen = Set<String>()
    return files(of: unit).flatMap(\.companionPaths).flatMap { file, path -> [UInt8] in
      seen.insert(path).inserted ? (try? file.bytes(beside: path)) ?? [] : []
    }
  }

  /// Returns the files of a recording with their digests; empty if one cannot be read.
  fileprivate func inputs(of unit: Unit) -> [BatchOutcome.Input] {
    let files = files(of: unit)
    var inputs: [BatchOutcome.Input] = []
    for file in files {
      guard let bytes = try? file.bytes(limit: options.decoding.limits.inputBytes) else {
        return []
      }
      inputs.append(
        BatchOutcome.Input(
          path: file.path, byteCount: bytes.count,
          sha256: SHA256.hash(bytes).hexadecimalDigits))
    }
    return inputs
  }
}
