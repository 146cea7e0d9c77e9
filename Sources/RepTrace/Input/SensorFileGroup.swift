import ChunkDecoding

/// Files that are one recording: usually a single file, else one for each sensor.
struct SensorFileGroup: Sendable {
  /// The path of the only file; for several the folder that they lie in, or what their names have
  /// in common.
  var name: String
  var files: [InputFile]

  /// Brings together the files that hold a sensor each of the same recording, in the order of
  /// their first files. ``SensorMerge`` decides which of them count.
  ///
  /// Where a sensor comes twice under one name it is not known which files belong together: each
  /// stays alone, and ``SensorFileOverlaps`` tells of it.
  static func groups(in files: [InputFile]) -> [SensorFileGroup] {
    var members: [String: [InputFile]] = [:]
    var sensors: [String: Set<SensorFile>] = [:]
    var known = Set<String>()
    for file in files {
      guard let name = SensorFileName(path: file.path), known.insert(file.path).inserted else {
        continue
      }
      members[name.group, default: []].append(file)
      sensors[name.group, default: []].insert(name.sensor)
    }
    var result: [SensorFileGroup] = []
    var done = Set<String>()
    for file in files {
      guard let name = SensorFileName(path: file.path), let files = members[name.group],
        files.count > 1, sensors[name.group]?.count == files.count
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

/// Notices files that look like sensors of one recording, but that no rule could put together.
///
/// Each of them was counted by itself, so that a set may be counted twice.
struct SensorFileOverlaps {
  private struct Entry {
    var path: String
    var name: SensorFileName
    var isDated: Bool
    var span: ClosedRange<Double>
  }

  private var entries: [String: [Entry]] = [:]

  /// The warning for a recording, nil where it stands alone.
  ///
  /// - Complexity: O(recordings whose names differ only in sensor and digits).
  mutating func warning(for recording: LoadedRecording) -> String? {
    guard let name = SensorFileName(path: recording.name), recording.parts.count == 1,
      let samples = recording.parts.first?.recording.samples, let first = samples.times.first,
      let last = samples.times.last, first <= last
    else { return nil }
    let seconds = samples.units.time.unitsPerSecond
    let date = recording.parts.first?.recording.unixTimeOfFirstSample
    let start = date ?? first / seconds
    let entry = Entry(
      path: recording.name, name: name, isDated: date != nil,
      span: start...(start + (last - first) / seconds))
    defer { entries[name.family, default: []].append(entry) }
    let other = entries[name.family]?.first { other in
      other.path != entry.path && other.isDated == entry.isDated && other.span.overlaps(entry.span)
        // Clocks that begin with the recording always overlap; then the names must be the same.
        && (entry.isDated || other.name.group == name.group)
    }
    return other.map {
      "\(entry.path): overlaps in time with \($0.path), whose name differs only in the sensor or a "
        + "number; they could not be joined, and each is counted as a recording of its own"
    }
  }
}
