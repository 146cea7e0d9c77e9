import Motion

/// Merges the files of a recording that hold one sensor each, with separate clocks and rates.
///
/// The result has a sample for each time in any file; columns of sensors without a reading at that time are
/// NaN. Nothing is interpolated.
package enum SensorMerge {
  package struct File: Sendable {
    package var sensor: SensorFile?
    package var chunk: DecodedChunk

    package init(sensor: SensorFile?, chunk: DecodedChunk) {
      self.sensor = sensor
      self.chunk = chunk
    }
  }

  /// - Parameter files: Files in any order; the result does not depend on it.
  /// - Returns: A chunk, and the files left out with the reasons. If one file holds the watch's motion, the
  ///   others come from the phone, which is elsewhere, and are left out.
  /// - Complexity: O(n log n) for n samples.
  package static func merge(_ files: [File]) -> (chunk: DecodedChunk, issues: [DecodingIssue])? {
    var issues: [DecodingIssue] = []
    var used = files.filter { !$0.chunk.samples.isEmpty }
    used.sort { ($0.sensor?.order ?? 99) < ($1.sensor?.order ?? 99) }
    if let wrist = used.first(where: { $0.sensor == .wristMotion }) {
      if used.count > 1 {
        issues.append(
          DecodingIssue(
            .assumption, "the watch's motion is used; the phone's sensors are left out",
            count: used.count - 1))
      }
      return (wrist.chunk, issues)
    }
    guard let first = used.first else { return files.first.map { ($0.chunk, issues) } }
    guard used.count > 1 else { return (first.chunk, issues) }
    if used.contains(where: { $0.chunk.samples.units.time != first.chunk.samples.units.time }) {
      for index in used.indices {
        used[index].chunk.samples = used[index].chunk.samples.inStandardUnits()
      }
    }
    decideAccelerationUnit(&used)
    used = sorted(used)
    let batch = union(used.map { $0.chunk.samples }, issues: &issues)
    var chunk = first.chunk
    chunk.samples = batch
    let earliest = used.min { ($0.chunk.samples.times[0]) < ($1.chunk.samples.times[0]) }
    chunk.unixTimeOfFirstSample = earliest?.chunk.unixTimeOfFirstSample
    return (chunk, issues)
  }

  /// Takes the unit of user acceleration from gravity, since user acceleration alone does not show it.
  private static func decideAccelerationUnit(_ files: inout [File]) {
    let knownUnit =
      files.first { $0.chunk.samples.has(.gravity) }?.chunk.samples.units.gravity
      ?? files.first { $0.chunk.samples.has(.totalAcceleration) }?.chunk.samples.units
      .totalAcceleration
    guard let knownUnit else { return }
    for index in files.indices {
      files[index].chunk.samples.units.userAcceleration = knownUnit
      files[index].chunk.gravityIsUncertain = false
    }
  }

  /// Sorts each file's samples by time.
  private static func sorted(_ files: [File]) -> [File] {
    files.map { file in
      let times = file.chunk.samples.times
      guard times.indices.dropFirst().contains(where: { times[$0] < times[$0 - 1] }) else {
        return file
      }
      var file = file
      let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      file.chunk.samples = file.chunk.samples.selecting(order)
      return file
    }
  }

  private static func union(
    _ batches: [MotionBatch], issues: inout [DecodingIssue]
  ) -> MotionBatch {
    var units = batches[0].units
    // The source of each channel: the first file that has it.
    var sources: [MotionChannel: Int] = [:]
    for (index, batch) in batches.enumerated() {
      for quantity in MotionQuantity.allCases where quantity != .time {
        guard quantity.channels.contains(where: { batch.has($0) }) else { continue }
        guard quantity.channels.allSatisfy({ sources[$0] == nil }) else {
          issues.append(
            DecodingIssue(.assumption, "\(quantity) is in two files; the first one's is used"))
          continue
        }
        for channel in quantity.channels where batch.has(channel) { sources[channel] = index }
        units.set(quantity, from: batch.units)
      }
    }
    // One row per time; equal times within a file stay separate.
    var cursors = Array(repeating: 0, count: batches.count)
    var times: [Double] = []
    var rows: [[Int32]] = Array(repeating: [], count: batches.count)
    let columns = batches.map { $0.times }
    while true {
      var next = Double.infinity
      for (file, column) in columns.enumerated() where cursors[file] < column.count {
        next = min(next, column[cursors[file]])
      }
      guard next < .infinity else { break }
      times.append(next)
      for (file, column) in columns.enumerated() {
        if cursors[file] < column.count, column[cursors[file]] == next {
          rows[file].append(Int32(cursors[file]))
          cursors[file] += 1
        } else {
          rows[file].append(-1)
        }
      }
    }
    var result = MotionBatch([.time: times], units: units, clock: batches[0].clock)
    for (channel, file) in sources {
      let values = batches[file][channel]
      result[channel] = rows[file].map { $0 < 0 ? .nan : values[Int($0)] }
    }
    return result
  }
}

extension SensorFile {
  /// Priority among files with the same quantity; the lowest is used.
  fileprivate var order: Int {
    switch self {
    case .wristMotion: 0
    case .accelerometer: 1
    case .gyroscope: 2
    case .gravity: 3
    case .totalAcceleration: 4
    case .orientation: 5
    case .magnetometer: 6
    }
  }
}

extension MotionUnits {
  fileprivate mutating func set(_ quantity: MotionQuantity, from other: MotionUnits) {
    switch quantity {
    case .time: time = other.time
    case .userAcceleration: userAcceleration = other.userAcceleration
    case .totalAcceleration: totalAcceleration = other.totalAcceleration
    case .gravity: gravity = other.gravity
    case .rotationRate: rotationRate = other.rotationRate
    case .attitude: attitude = other.attitude
    case .magneticField, .quaternion: break
    }
  }
}
