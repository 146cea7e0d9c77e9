import Dispatch
import Motion
import RepDetection

/// The recordings behind paths, all in memory.
package struct LoadedInputs: Sendable {
  package var recordings: [LoadedRecording] = []
  package var failures: [InputFailure] = []
  /// Files of folders that are no recordings.
  package var skipped: [String] = []

  /// Reads files and folders; returns when all are read.
  ///
  /// For callers that cannot wait otherwise. Blocks the calling thread, which must not be one of
  /// those that run tasks.
  package static func load(_ paths: [String], options: LoadingOptions) -> LoadedInputs {
    let done = DispatchSemaphore(value: 0)
    let result = Result()
    Task.detached {
      result.value = await loaded(paths, options: options)
      done.signal()
    }
    done.wait()
    return result.value
  }

  /// Written by one thread before it signals, read by another after that.
  private final class Result: @unchecked Sendable {
    var value = LoadedInputs()
  }

  private static func loaded(_ paths: [String], options: LoadingOptions) async -> LoadedInputs {
    var result = LoadedInputs()
    let loader = RecordingLoader(options: options)
    let units = (try? await loader.plan(InputScanner.scan(paths))) ?? []
    for unit in units {
      switch loader.load(unit) {
      case .recording(let recording): result.recordings.append(recording)
      case .failed(let failure): result.failures.append(failure)
      case .skipped(let path): result.skipped.append(path)
      case .nothing: break
      }
    }
    if result.recordings.isEmpty, result.failures.isEmpty, let path = paths.first {
      result.failures.append(
        InputFailure(path: path, kind: .noRecording, message: "expected recordings, found none"))
    }
    return result
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
    let declares = parts.contains(where: \.isDeclaredSet)
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
