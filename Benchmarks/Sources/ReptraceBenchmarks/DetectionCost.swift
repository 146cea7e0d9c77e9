import ChunkDecoding
import Foundation
import Motion
import RepDetection

/// What the detector costs and how well it counts along, on real recordings where they are
/// present and on the fixtures: processor time of one thread per sample, by what goes on, and the
/// live count against the finalized one.
///
/// Samples come in chunks of a fifth of a second. `live` are the chunks between `setStarted` and
/// `setEnded`, `finalizing` those with `setEnded`, `idle` all others. `rest` is a wrist that lies still
/// for ten minutes.
struct DetectionCost {
  static let title = "detection: cost and live count"

  private enum State: Int, CaseIterable {
    case idle, live, finalizing
  }

  private var seconds = [Double](repeating: 0, count: State.allCases.count)
  private var samples = [Int](repeating: 0, count: State.allCases.count)
  private var longestFinalizing = 0.0
  private var given = 0.0
  private var givenSamples = 0
  private var live = LiveAgreement()

  /// The table, a row for each group of recordings.
  static func report() -> FigureTable {
    let folders = [
      ("watch-gym", BenchmarkRecordings.datasets.appendingPathComponent("watch-gym/recordings")),
      ("fixtures", BenchmarkRecordings.package.appendingPathComponent("fixtures/recordings")),
    ]
    var table = FigureTable(
      group: "cost", table: title,
      columns: [
        "recordings", "no set, ns a sample", "live", "the chunk that finalizes, worst, ms", "all",
        "declared, at once", "live count right, %", "above, %", "rep event after, s (median)",
        "within 0.5 s, %",
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
        live.take(event)
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

  /// A wrist that trembles a little, ten minutes at 50 Hz.
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
    ] + live.figures
  }

  private func number(_ value: Double) -> String {
    String(format: value < 100 ? "%.1f" : "%.0f", value)
  }

  /// Processor time of this thread.
  private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// The live count of each set beside the finalized reps that had ended, looked at four times a second
/// from when the set was announced to half a second after its last rep.
///
/// They agree if the count is no more than the reps that have ended, and no less than those that
/// ended half a second ago.
struct LiveAgreement {
  private var counts: [(time: Double, count: Int)] = []
  private var announced: Double?
  private(set) var looks = 0
  private(set) var equal = 0
  private(set) var above = 0
  private var latencies: [Double] = []

  mutating func take(_ event: DetectionEvent) {
    switch event {
    case .setStarted(let time, _, _):
      announced = time
      counts = [(time, 0)]
    case .rep(let time, let count, let rep):
      counts.append((time, count))
      if let announced, time > announced { latencies.append(time - rep.end) }
    case .repCorrected(let time, let count): counts.append((time, count))
    case .setEnded(_, let set): compare(with: set)
    default: break
    }
  }

  private mutating func compare(with set: CountedSet) {
    guard let announced else { return }
    var time = announced + 0.01
    while time < set.end + 0.5 {
      let count = counts.last { $0.time <= time }?.count ?? 0
      let most = set.reps.count { $0.end <= time }
      let least = set.reps.count { $0.end <= time - 0.5 }
      looks += 1
      if count > most { above += 1 } else if count >= least { equal += 1 }
      time += 0.25
    }
  }

  var figures: [String] {
    let sorted = latencies.sorted()
    let middle = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    let soon = sorted.count { $0 <= 0.5 }
    return [
      String(format: "%.1f", 100 * Double(equal) / Double(max(looks, 1))),
      String(format: "%.1f", 100 * Double(above) / Double(max(looks, 1))),
      String(format: "%.2f", middle),
      String(format: "%.0f", 100 * Double(soon) / Double(max(sorted.count, 1))),
    ]
  }
}
