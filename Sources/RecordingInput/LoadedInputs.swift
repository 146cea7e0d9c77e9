import Motion
import RepDetection

/// The recordings behind paths, found but not yet read.
///
/// Starts no thread, so that programs that fork can go on reading in each process.
package struct PlannedInputs: Sendable {
  private let loader: RecordingLoader
  private let units: [RecordingLoader.Unit]

  package init(_ paths: [String], options: LoadingOptions) {
    loader = RecordingLoader(options: options)
    units = loader.planSequentially(InputScanner.scan(paths))
  }

  package var count: Int { units.count }

  /// Reads the inputs at an index, on the calling thread.
  package func load(_ index: Int) -> LoadedInputs { LoadedInputs(loader.load(units[index])) }
}

/// Recordings in memory.
package struct LoadedInputs: Sendable {
  package var recordings: [LoadedRecording] = []
  package var failures: [InputFailure] = []
  /// Files of folders that are no recordings.
  package var skipped: [String] = []

  /// Reads files and folders as ``PlannedInputs`` does, all of them.
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
  /// Counts the sets of each part: those that the input declares, else those that are found.
  ///
  /// - Parameter oneSet: A recording that declares no set is one.
  package func countSets(
    oneSet: Bool, configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> [[CountedSet]] {
    parts.indices.map { countSets(inPart: $0, oneSet: oneSet, configuration: configuration) }
  }

  /// Counts the sets of one part. Where any part is a declared set, what lies between is rest.
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
