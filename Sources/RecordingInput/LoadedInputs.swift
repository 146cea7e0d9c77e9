import Motion
import RepDetection

/// Recordings at paths that were found but not read yet.
///
/// Starts no threads, so that programs that fork can continue to read in each process.
package struct PlannedInputs: Sendable {
  private let loader: RecordingLoader
  private let units: [RecordingLoader.Unit]

  package init(_ paths: [String], options: LoadingOptions) {
    loader = RecordingLoader(options: options)
    units = loader.planSequentially(InputScanner.scan(paths))
  }

  package var count: Int { units.count }

  /// Reads the inputs at an index on the calling thread.
  package func load(_ index: Int) -> LoadedInputs { LoadedInputs(loader.load(units[index])) }
}

/// Recordings in memory.
package struct LoadedInputs: Sendable {
  package var recordings: [LoadedRecording] = []
  package var failures: [InputFailure] = []
  /// Files in folders that are not recordings.
  package var skipped: [String] = []

  /// Reads all recordings in files and folders, found like ``PlannedInputs``.
  package init(_ paths: [String], options: LoadingOptions) {
    let planned = PlannedInputs(paths, options: options)
    for index in 0..<planned.count {
      let loaded = planned.load(index)
      recordings += loaded.recordings
      failures += loaded.failures
      skipped += loaded.skipped
    }
    if recordings.isEmpty, failures.isEmpty, let path = paths.first {
      failures.append(
        InputFailure(path: path, kind: .noRecording, message: "expected recordings, found none"))
    }
  }

  fileprivate init(_ loaded: [RecordingLoader.Loaded]) {
    for one in loaded {
      switch one {
      case .recording(let recording): recordings.append(recording)
      case .failed(let failure): failures.append(failure)
      case .skipped(let path): skipped.append(path)
      }
    }
  }
}

extension LoadedRecording {
  /// Counts the sets of each part: those that the input declares, or else detected ones.
  ///
  /// - Parameter oneSet: True if a recording without declared sets is one set.
  package func countSets(
    oneSet: Bool, configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> [[CountedSet]] {
    parts.indices.map { countSets(inPart: $0, oneSet: oneSet, configuration: configuration) }
  }

  /// Counts the sets of one part. If any part is a declared set, the samples between are rest.
  package func countSets(
    inPart index: Int, oneSet: Bool, configuration: DetectorConfiguration
  ) -> [CountedSet] {
    let part = parts[index]
    let declares = parts.contains(where: { $0.isDeclaredSet })
    let recording = part.recording
    if part.isDeclaredSet || (oneSet && !declares) {
      return [
        RepDetector.countSet(
          in: recording.samples, phases: recording.phases, configuration: configuration)
      ]
    }
    if declares { return [] }
    return RepDetector.detectSets(
      in: recording.samples, phases: recording.phases, configuration: configuration)
  }
}
