import ChunkDecoding
import Motion

/// Reads the single-sensor files of a recording and merges those that fit together.
struct SensorFileReading {
  let loader: RecordingLoader
  /// The name of the recording that the files form.
  let name: String

  private struct Sensor {
    var path: String
    var file: SensorMerge.File
    var issues: [DecodingIssue]

    /// Time span, in seconds on the sensor's own clock; nil without samples.
    var span: ClosedRange<Double>? {
      let samples = file.chunk.samples
      let scale = samples.units.time.unitsPerSecond
      guard let first = samples.times.min(), let last = samples.times.max() else { return nil }
      return first / scale...last / scale
    }
  }

  /// - Returns: One recording, or several if the files do not overlap in time. An unreadable file is omitted
  ///   with a warning, unless all are unreadable.
  func load(_ files: [InputFile]) -> [RecordingLoader.Loaded] {
    var sensors: [Sensor] = []
    var failures: [RecordingLoader.Loaded] = []
    for file in files {
      do throws(LoadingFailure) {
        let decoded = try loader.decode(file)
        let sensor = SensorFileName(path: file.contentPath)?.sensor
        sensors += decoded.chunks.map { chunk in
          Sensor(
            path: file.path, file: SensorMerge.File(sensor: sensor, chunk: chunk),
            issues: decoded.issues)
        }
      } catch {
        failures.append(loader.loaded(for: error, file))
      }
    }
    let usable = sensors.filter { !$0.file.chunk.samples.isEmpty }
    guard !usable.isEmpty else { return failures }
    var leftOut = IssueReport()
    for case .failed(let failure) in failures {
      leftOut.warnings.append("\(failure); it is left out of \(name)")
    }
    let groups =
      usable.contains { $0.file.sensor == .wristMotion } ? [usable] : Self.meeting(usable)
    return groups.enumerated().compactMap { index, group in
      var report = index == 0 ? leftOut : IssueReport()
      let name = group.count == 1 && groups.count > 1 ? group[0].path : self.name
      if groups.count > 1 {
        let others = groups.joined().filter { other in
          !group.contains { $0.path == other.path }
        }
        report.warnings.append(
          "\(name): belongs by its name with \(others.map { $0.path }.joined(separator: ", ")), but "
            + "their times do not meet; they are counted as recordings of their own")
      }
      for sensor in group { report.add(sensor.issues, of: sensor.path) }
      guard let merged = SensorMerge.merge(group.map({ $0.file })) else { return nil }
      var reassembler = ChunkReassembler()
      reassembler.add(merged.chunk)
      let reassembly = reassembler.assemble(name: name)
      report.add(merged.issues + reassembly.issues, of: name)
      return .recording(reassembly, name: name, isDeclaredSet: false, report)
    }
  }

  /// Groups sensors whose times overlap on the same clock. Each group is in file order.
  private static func meeting(_ sensors: [Sensor]) -> [[Sensor]] {
    var groups: [(clock: MotionClock, span: ClosedRange<Double>, members: [Int])] = []
    let order = sensors.indices.sorted {
      (sensors[$0].span?.lowerBound ?? 0, $0) < (sensors[$1].span?.lowerBound ?? 0, $1)
    }
    for index in order {
      guard let span = sensors[index].span else { continue }
      let clock = sensors[index].file.chunk.samples.clock
      if let group = groups.firstIndex(where: { $0.clock == clock && $0.span.overlaps(span) }) {
        let whole = groups[group].span
        groups[group].span = whole.lowerBound...max(whole.upperBound, span.upperBound)
        groups[group].members.append(index)
      } else {
        groups.append((clock, span, [index]))
      }
    }
    return groups.map { $0.members.sorted() }.sorted { $0[0] < $1[0] }
      .map { $0.map { sensors[$0] } }
  }
}

/// Decoding issues as lines that name the file: losses and assumptions.
struct IssueReport {
  var warnings: [String] = []
  var assumptions: [String] = []

  mutating func add(_ issues: [DecodingIssue], of path: String) {
    for issue in issues {
      if issue.isWarning {
        warnings.append("\(path): \(issue)")
      } else {
        assumptions.append("\(path): \(issue)")
      }
    }
  }
}
