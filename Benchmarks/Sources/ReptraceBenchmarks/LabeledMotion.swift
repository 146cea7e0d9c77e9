import Foundation
import Motion
import RepTrace

/// A labeled set with its recording.
struct LabeledMotion {
  struct Window {
    var samples: MotionBatch
    var reps: Int
    var span: ClosedRange<Double>
  }

  var file: URL
  var span: ClosedRange<Double>
  var reps: Int
  var whole: Window
  /// The set with two seconds on each side.
  var cut: Window

  /// Returns the sets on which raters and logbook agree, or else the generated ones: one per recording.
  static func load() throws -> [LabeledMotion] {
    let real = BenchmarkRecordings.areReal
    let folder =
      real
      ? BenchmarkRecordings.datasets.appendingPathComponent("watch-gym/recordings")
      : BenchmarkRecordings.generated
    let labels = folder.deletingLastPathComponent().appendingPathComponent("labels.csv")
    let rows = table(try String(contentsOf: labels, encoding: .utf8))
    let once = Dictionary(grouping: rows) { $0["recording"] }
    return try rows.compactMap { row in
      guard
        let name = row["recording"], let reps = row["reps"].flatMap({ Int($0) }),
        let start = row["start"].flatMap({ Double($0) }),
        let end = row["end"].flatMap({ Double($0) }), once[name]?.count == 1,
        !real || row["confirmed"] == "yes"
      else { return nil }
      let file = folder.appendingPathComponent(name + ".csv")
      let samples = try BenchmarkRecordings.batch(file)
      return LabeledMotion(
        file: file, span: start...end, reps: reps,
        whole: Window(samples: samples, reps: reps, span: start...end),
        cut: Window(samples: cut(samples, start...end), reps: reps, span: start...end))
    }
  }

  /// Returns the rows of a CSV file without quotes, by column.
  private static func table(_ csv: String) -> [[String: String]] {
    let rows = csv.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = rows.first else { return [] }
    return rows.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }

  static func cut(_ samples: MotionBatch, _ span: ClosedRange<Double>) -> MotionBatch {
    let times = samples.times
    return samples.selecting(
      times.indices.filter { times[$0] >= span.lowerBound - 2 && times[$0] <= span.upperBound + 2 })
  }

  private static let channels: [MotionChannel] = [
    .time, .userAccelerationX, .userAccelerationY, .userAccelerationZ, .rotationRateX,
    .rotationRateY, .rotationRateZ, .gravityX, .gravityY, .gravityZ,
  ]

  /// Returns the windows in the format that `Rivals/rival.py` reads: ten columns, then in every row the set's
  /// true count, begin and end.
  static func arrays(_ windows: [Window]) -> Data {
    var data = Data()
    func append(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { data += $0 } }
    for window in windows {
      append(UInt64(channels.count + 3))
      append(UInt64(window.samples.count))
      for channel in channels {
        let values = window.samples[channel]
        for row in 0..<window.samples.count {
          append((values.isEmpty ? 0 : values[row]).bitPattern)
        }
      }
      for value in [Double(window.reps), window.span.lowerBound, window.span.upperBound] {
        for _ in 0..<window.samples.count { append(value.bitPattern) }
      }
    }
    return data
  }

  static func list(_ sets: [LabeledMotion]) -> String {
    sets.map {
      "\($0.file.path)\t\($0.span.lowerBound - 2)\t\($0.span.upperBound + 2)\t\($0.reps)\n"
    }.joined()
  }
}
