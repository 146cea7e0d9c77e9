import ChunkDecoding
import Foundation
import Motion
import RepDetection

/// Cost of the detector on real recordings, if present, and on the fixtures: processor time of one thread per
/// sample, by state of the detector.
///
/// Samples come in chunks of a fifth of a second. `live` are the chunks between `setStarted` and `setEnded`,
/// `finalizing` those with `setEnded`, `idle` all others. `rest` is a wrist at rest for ten minutes.
struct DetectionCost {
  static let title = "detection: cost"

  private enum State: Int, CaseIterable {
    case idle, live, finalizing
  }

  private var seconds = [Double](repeating: 0, count: State.allCases.count)
  private var samples = [Int](repeating: 0, count: State.allCases.count)
  private var longestFinalizing = 0.0
  private var given = 0.0
  private var givenSamples = 0

  /// Returns the table, with a row for each group of recordings.
  static func report() -> FigureTable {
    let folders = [
      ("watch-gym", BenchmarkRecordings.datasets.appendingPathComponent("watch-gym/recordings")),
      ("fixtures", BenchmarkRecordings.package.appendingPathComponent("fixtures/recordings")),
    ]
    var table = FigureTable(
      group: "cost", table: title,
      columns: [
        "recordings", "no set, ns a sample", "live", "the chunk that finalizes, worst, ms", "all",
        "declared, at once",
      ])
    for (name, folder) in folders {
      var cost = DetectionCost()
      let recordings = batches(in: folder)
      guard !recordings.isEmpty else { continue }
      for recording in recordings { cost.run(recording) }
      table.rows.append([name] + cost.figures)
    }
    var rest = DetectionCost()
    rest.run(resting)
    table.rows.append(["a wrist at rest, 10 min", rest.nanoseconds(.idle)])
    return table
  }

  private static func batches(in folder: URL) -> [MotionBatch] {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
      ?? []
    return files.filter { $0.pathExtension == "csv" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .compactMap { file -> MotionBatch? in
        guard let data = try? Data(contentsOf: file) else { return nil }
        let decoded = try? RecordingDecoder.decode(
          [UInt8](data), fileName: file.lastPathComponent)
        return decoded?.chunks.first?.samples
      }
  }

  private mutating func run(_ recording: MotionBatch) {
    let recording = recording.inStandardUnits()
    guard let first = recording.times.first, let last = recording.times.last, last > first else {
      return
    }
    let size = max(1, Int(0.2 * Double(recording.count) / (last - first)))
    var detector = RepDetector()
    var isLive = false
    var row = 0
    while row <= recording.count {
      let chunk = recording[row..<min(row + size, recording.count)]
      let isLast = chunk.isEmpty || row + size > recording.count
      var events: [DetectionEvent] = []
      let start = threadSeconds()
      detector.append(chunk) { events.append($0) }
      if isLast { detector.finish { events.append($0) } }
      let duration = threadSeconds() - start
      var isFinalized = false
      for event in events {
        switch event {
        case .setStarted: isLive = true
        case .setCancelled: isLive = false
        case .setEnded:
          isLive = false
          isFinalized = true
        default: break
        }
      }
      let state: State =
        isFinalized ? .finalizing : isLive ? .live : .idle
      seconds[state.rawValue] += duration
      samples[state.rawValue] += chunk.count
      if isFinalized { longestFinalizing = max(longestFinalizing, duration) }
      row += size
      if isLast { break }
    }
    let start = threadSeconds()
    _ = RepDetector.countSet(in: recording)
    given += threadSeconds() - start
    givenSamples += recording.count
  }

  /// Samples of a slightly trembling wrist, ten minutes at 50 Hz.
  private static var resting: MotionBatch {
    let n = 30_000
    var random = SplitMix64(state: 3)
    var columns: [MotionChannel: [Double]] = [.time: (0..<n).map { Double($0) / 50 }]
    for channel in MotionQuantity.gravity.channels + MotionQuantity.rotationRate.channels
      + MotionQuantity.userAcceleration.channels
    {
      let level = channel == .gravityZ ? -1.0 : 0
      columns[channel] = (0..<n).map { _ in level + Double.random(in: -0.01...0.01, using: &random)
      }
    }
    return MotionBatch(columns)
  }

  private func nanoseconds(_ state: State) -> String {
    number(1e9 * seconds[state.rawValue] / Double(max(samples[state.rawValue], 1)))
  }

  private var figures: [String] {
    let all = 1e9 * seconds.reduce(0, +) / Double(max(samples.reduce(0, +), 1))
    return [
      nanoseconds(.idle), nanoseconds(.live), number(1e3 * longestFinalizing), number(all),
      number(1e9 * given / Double(max(givenSamples, 1))),
    ]
  }

  private func number(_ value: Double) -> String {
    String(format: value < 100 ? "%.1f" : "%.0f", value)
  }

  /// Returns the processor time of this thread.
  private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
