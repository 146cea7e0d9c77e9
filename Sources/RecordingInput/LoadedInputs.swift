import Motion
import RepDetection

/// The recordings behind paths, all in memory.
package struct LoadedInputs: Sendable {
  package var recordings: [LoadedRecording] = []
  package var failures: [InputFailure] = []
  /// Files of folders that are no recordings.
  package var skipped: [String] = []

  /// Reads files and folders on the calling thread.
  ///
  /// Starts no thread, so that programs which divide into processes (`fork`) can go on reading in each.
  package init(_ paths: [String], options: LoadingOptions) {
    let loader = RecordingLoader(options: options)
    for unit in loader.planOnThisThread(InputScanner.scan(paths)) {
      for loaded in loader.load(unit) {
        switch loaded {
        case .recording(let recording): recordings.append(recording)
        case .failed(let failure): failures.append(failure)
        case .skipped(let path): skipped.append(path)
        }
      }
    }
    if recordings.isEmpty, failures.isEmpty, let path = paths.first {
      failures.append(
        InputFailure(path: path, kind: .noRecording, message: "expected recordings, found none"))
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
