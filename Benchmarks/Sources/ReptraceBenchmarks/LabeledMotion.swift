import Foundation
import Motion
import RepTrace

/// A labelled set with its recording.
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
  /// The set with two seconds on both sides.
  var cut: Window

  /// The sets of which raters and logbook agree, or else the generated ones: one a recording.
  static func load() throws -> [LabeledMotion] {
    let real = BenchmarkRecordings.areReal
    let folder =
      real
      ? BenchmarkRecordings.datasets.appendingPathComponent("watch-gym/recordings")
      : BenchmarkRecordings.generated
    let labels = folder.deletingLastPathComponent().appendingPathComponent("labels.csv")
    let rows = try LabeledSet.parse(csv: String(contentsOf: labels, encoding: .utf8))
    let once = Dictionary(grouping: rows, by: \.recording)
    return try rows.compactMap { row in
      guard let span = row.span, once[row.recording]?.count == 1,
        !real || row.columns["confirmed"] == "yes"
      else { return nil }
      let file = folder.appendingPathComponent(row.recording + ".csv")
      let samples = try BenchmarkRecordings.batch(file)
      return LabeledMotion(
        file: file, span: span, reps: row.reps,
        whole: Window(samples: samples, reps: row.reps, span: span),
        cut: Window(samples: cut(samples, span), reps: row.reps, span: span))
    }
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

  /// As `Rivals/rival.py` reads them: ten columns, then in every row the set's true count, begin and
  /// end.
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
