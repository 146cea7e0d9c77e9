import ChunkDecoding
import Foundation
import Motion
import RepDetection

/// What the detector costs and how well it counts along, on real recordings where they are
/// present and on the fixtures: processor time of one thread per sample, by what goes on, and the
/// live count against the settled one.
///
/// Samples come in chunks of a fifth of a second. `live` are the chunks between `setStarted` and
/// `setEnded`, `settling` those with `setEnded`, `idle` all others. `rest` is a wrist that lies still
/// for ten minutes.
struct DetectionCost {
  static let title = "detection: cost and live count"

  private enum State: Int, CaseIterable {
    case idle, live, settling
  }

  private var seconds = [Double](repeating: 0, count: State.allCases.count)
  private var samples = [Int](repeating: 0, count: State.allCases.count)
  private var longestSettling = 0.0
  private var given = 0.0
  private var givenSamples = 0
  private var live = LiveAgreement()

  /// The table, a line for each group of recordings.
  static func report() -> [String] {
    let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let folders = [
      ("watch-gym", "../shared/datasets/watch-gym/recordings"), ("fixtures", "fixtures/recordings"),
    ]
    var lines = [
      title,
      "  ns a sample:       idle     live  settling (ms, worst)   all   declared",
    ]
    for (name, path) in folders {
      var cost = DetectionCost()
      let recordings = batches(in: root.appendingPathComponent(path))
      guard !recordings.isEmpty else {
        lines.append("  \(name): no recordings at \(path)")
        continue
      }
      for recording in recordings { cost.run(recording) }
      lines += cost.lines(name)
    }
    var rest = DetectionCost()
    rest.run(resting)
    lines.append(
      "  rest        "
        + rest.number(1e9 * rest.seconds.reduce(0, +) / Double(rest.samples.reduce(0, +)), 9))
    return lines
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
      var isSettled = false
      for event in events {
        live.take(event)
        switch event {
        case .setStarted: isLive = true
        case .setCancelled: isLive = false
        case .setEnded:
          isLive = false
          isSettled = true
        default: break
        }
      }
      let state: State =
        isSettled ? .settling : isLive ? .live : .idle
      seconds[state.rawValue] += duration
      samples[state.rawValue] += chunk.count
      if isSettled { longestSettling = max(longestSettling, duration) }
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

  private func lines(_ name: String) -> [String] {
    func nanoseconds(_ state: State) -> String {
      number(1e9 * seconds[state.rawValue] / Double(max(samples[state.rawValue], 1)), 9)
    }
    let all = 1e9 * seconds.reduce(0, +) / Double(max(samples.reduce(0, +), 1))
    return [
      "  " + name.padding(toLength: 12, withPad: " ", startingAt: 0) + nanoseconds(.idle)
        + nanoseconds(.live) + number(1e3 * longestSettling, 18)
        + number(all, 10) + number(1e9 * given / Double(max(givenSamples, 1)), 11),
      "    " + live.summary,
    ]
  }

  private func number(_ value: Double, _ width: Int) -> String {
    let text = value < 10 ? String(format: "%.1f", value) : String(format: "%.0f", value)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Processor time of this thread.
  private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// The live count of each set beside the settled reps that had ended, looked at four times a second
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

  var summary: String {
    let sorted = latencies.sorted()
    let middle = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    let soon = sorted.count { $0 <= 0.5 }
    return String(
      format: "live count equal %.1f %%, above %.1f %%; reps announced after %.2f s (median), "
        + "%.0f %% within 0.5 s", 100 * Double(equal) / Double(max(looks, 1)),
      100 * Double(above) / Double(max(looks, 1)), middle,
      100 * Double(soon) / Double(max(sorted.count, 1)))
  }
}
