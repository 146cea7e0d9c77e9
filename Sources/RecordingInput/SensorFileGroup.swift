import ChunkDecoding
import Foundation

/// Files that are one recording: usually a single file, else one for each sensor.
struct SensorFileGroup: Sendable {
  /// The path of the only file; for several the folder that they lie in, or what their names have
  /// in common.
  var name: String
  var files: [InputFile]

  /// Brings together the files that hold a sensor each of the same recording, in the order of
  /// their first files. ``SensorMerge`` decides which of them count.
  static func groups(in files: [InputFile]) -> [SensorFileGroup] {
    var members: [String: [InputFile]] = [:]
    var sensors: [String: Set<SensorFile>] = [:]
    for file in files {
      guard let (group, sensor) = SensorFile.group(ofFileAt: file.path) else { continue }
      members[group, default: []].append(file)
      sensors[group, default: []].insert(sensor)
    }
    var result: [SensorFileGroup] = []
    var done = Set<String>()
    for file in files {
      guard let (group, _) = SensorFile.group(ofFileAt: file.path), let files = members[group],
        files.count > 1,
        sensors[group]?.count == files.count
      else {
        result.append(SensorFileGroup(name: file.path, files: [file]))
        continue
      }
      guard done.insert(group).inserted else { continue }
      result.append(SensorFileGroup(name: group.hasSuffix("/") ? file.folder : group, files: files))
    }
    return result
  }
}
