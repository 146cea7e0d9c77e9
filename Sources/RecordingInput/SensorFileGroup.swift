import ChunkDecoding
import Motion

/// The files of one recording: usually a single file, else one per sensor.
struct SensorFileGroup: Sendable {
  /// The path of the only file; for several files, their folder or the common part of their names.
  var name: String
  var files: [InputFile]

  /// Groups the single-sensor files of each recording, in the order of their first files. ``SensorMerge``
  /// decides which of them are used.
  ///
  /// If two files of a sensor have the same name, the grouping is ambiguous. Each file then stays alone, and
  /// ``SensorFileOverlaps`` reports it.
  static func groups(in files: [InputFile]) -> [SensorFileGroup] {
    var members: [String: [InputFile]] = [:]
    var sensors: [String: Set<SensorFile>] = [:]
    var known = Set<String>()
    let names = files.map { SensorFileName(path: $0.contentPath) }
    for (file, name) in zip(files, names) {
      guard let name, known.insert(file.path).inserted else { continue }
      members[name.group, default: []].append(file)
      sensors[name.group, default: []].insert(name.sensor)
    }
    var result: [SensorFileGroup] = []
    var done = Set<String>()
    for (file, name) in zip(files, names) {
      guard let name, let files = members[name.group], files.count > 1,
        sensors[name.group]?.count == files.count
      else {
        result.append(SensorFileGroup(name: file.path, files: [file]))
        continue
      }
      guard done.insert(name.group).inserted else { continue }
      result.append(SensorFileGroup(name: name.recordingName, files: files))
    }
    return result
  }
}

/// The recording time of a single-sensor file.
package struct SensorFileSpan: Sendable, Hashable, Codable {
  var path: String
  /// True if ``start`` and ``end`` are relative to 1970; false if relative to the start of the recording.
  var isDated: Bool
  /// Start, in seconds.
  var start: Double
  var end: Double

  /// Creates the span; nil for recordings of several sensors and for those without samples.
  package init?(_ recording: LoadedRecording) {
    guard SensorFileName(path: recording.name) != nil, recording.parts.count == 1,
      let samples = recording.parts.first?.recording.samples, let first = samples.times.first,
      let last = samples.times.last, first <= last
    else { return nil }
    let seconds = samples.units.time.unitsPerSecond
    let date = recording.parts.first?.recording.unixTimeOfFirstSample
    path = recording.name
    isDated = date != nil
    start = date ?? first / seconds
    end = start + (last - first) / seconds
  }
}

/// Detects files that look like sensors of one recording but match no grouping rule.
///
/// Each of them was counted separately, so that a set may be counted twice.
package struct SensorFileOverlaps {
  private var spans: [String: [(span: SensorFileSpan, group: String)]] = [:]

  package init() {}

  /// Returns the warning for a file; nil if it overlaps no other.
  ///
  /// - Complexity: O(files whose names differ only in sensor and digits).
  package mutating func warning(for span: SensorFileSpan) -> String? {
    guard let name = SensorFileName(path: span.path) else { return nil }
    defer { spans[name.family, default: []].append((span, name.group)) }
    let other = spans[name.family]?.first { other, group in
      other.path != span.path && other.isDated == span.isDated && other.start <= span.end
        && span.start <= other.end
        // Clocks that start with the recording always overlap, so the names must be equal, too.
        && (span.isDated || group == name.group)
    }
    return other.map { other, _ in
      "\(span.path): overlaps in time with \(other.path), whose name differs only in the sensor or a "
        + "number; they could not be joined, and each is counted as a recording of its own"
    }
  }
}
