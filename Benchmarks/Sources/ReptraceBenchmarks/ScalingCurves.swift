import Foundation
import HeapSize
import Motion
import RepTrace

/// Growth of time and memory with the number of samples, open sets, and sets in a history.
enum ScalingCurves {
  static func all(isQuick: Bool) throws -> [Curve] {
    let workouts = try BenchmarkRecordings.workouts()
    return try detectorBySamples(workouts, isQuick) + detectorBySetsAlive(workouts, isQuick)
      + blobBySamples(isQuick) + storeBySets(isQuick)
  }

  /// The time budget of a curve, in seconds. A point is skipped, with all after it, if it is expected to
  /// exceed the budget.
  private struct Budget {
    var seconds: Double
    private let begin = elapsedSeconds()
    private var last = (x: 0.0, end: elapsedSeconds(), took: 0.0)

    init(_ isQuick: Bool) { seconds = isQuick ? 8 : 30 }

    /// Returns true if there is time for the point at x, extrapolated from the last one.
    mutating func allows(_ x: Int) -> Bool {
      let now = elapsedSeconds()
      if last.x > 0 { last.took = now - last.end }
      let expected = last.x > 0 ? last.took * max(1, Double(x) / last.x) : 0
      guard now - begin + expected <= seconds else { return false }
      last.x = Double(x)
      last.end = now
      return true
    }
  }

  /// Returns the minimum over some runs, because a shared machine only adds time.
  private static func seconds(runs: Int = 3, _ body: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<runs {
      let start = processorSeconds()
      try body()
      least = min(least, processorSeconds() - start)
    }
    return least
  }

  /// Returns workouts one after the other, as one signal of `count` samples.
  private static func signal(_ workouts: [MotionBatch], count: Int) -> MotionBatch {
    var signal = MotionBatch()
    var end = 0.0
    for index in 0... {
      let workout = workouts[index % workouts.count].inStandardUnits()
      var columns: [MotionChannel: [Double]] = [:]
      for channel in workout.channels { columns[channel] = workout[channel] }
      let first = workout.times.first ?? 0
      columns[.time] = workout.times.map { $0 - first + end }
      let next = MotionBatch(columns)
      if index == 0 { signal = next } else { signal.append(next) }
      end = (signal.times.last ?? 0) + 0.02
      if signal.count >= count { break }
    }
    return signal[0..<count]
  }

  private static func detectorBySamples(
    _ workouts: [MotionBatch], _ isQuick: Bool
  ) -> [Curve] {
    let counts = isQuick ? [3000, 30_000] : [3000, 10_000, 30_000, 100_000, 300_000]
    var budget = Budget(isQuick)
    var points: [Curve.Point] = []
    for count in counts where budget.allows(count) {
      let signal = signal(workouts, count: count)
      let took = seconds(runs: count > 50_000 ? 1 : 3) { _ = RepDetector.detectSets(in: signal) }
      points.append(.init(x: Double(count), y: took))
    }
    return [Curve(curve: "detector, one signal", x: "samples", y: "s", points: points)]
  }

  /// Measures detectors in mid-set, each of which gets the next 100 samples in turn.
  private static func detectorBySetsAlive(
    _ workouts: [MotionBatch], _ isQuick: Bool
  ) -> [Curve] {
    let chunk = 100
    let rounds = isQuick ? 1 : 4
    let warm = 1800
    let seeds = workouts.filter { $0.count > warm + chunk * (rounds + 1) }.prefix(8).map {
      workout in
      var detector = RepDetector()
      detector.append(workout[0..<warm]) { _ in }
      let chunks = (0...rounds).map { workout[warm + $0 * chunk..<warm + ($0 + 1) * chunk] }
      return (detector: detector, chunks: chunks)
    }
    guard !seeds.isEmpty else { return [] }
    var times: [Curve.Point] = []
    var memory: [Curve.Point] = []
    var budget = Budget(isQuick)
    // Small numbers of detectors cost as much as a hundred, because they run several times.
    for count in isQuick ? [1, 100, 5000] : [1, 10, 100, 1000, 5000]
    where budget.allows(max(100, count)) {
      let before = heap_size()
      // Run few detectors several times, so that there is enough to measure.
      let copies = max(1, 100 / count)
      var spent = 0.0
      for _ in 0..<copies {
        var detectors = (0..<count).map { seeds[$0 % seeds.count].detector }
        // The first chunk makes each copy independent.
        for index in detectors.indices {
          detectors[index].append(seeds[index % seeds.count].chunks[0]) { _ in }
        }
        if memory.last?.x != Double(count) {
          memory.append(
            .init(x: Double(count), y: (Double(heap_size()) - Double(before)) / 1e6))
        }
        let start = processorSeconds()
        for round in 1...rounds {
          for index in detectors.indices {
            detectors[index].append(seeds[index % seeds.count].chunks[round]) { _ in }
          }
        }
        spent += processorSeconds() - start
      }
      let samples = Double(copies * count * rounds * chunk)
      times.append(.init(x: Double(count), y: spent / samples * 1e9))
    }
    return [
      Curve(curve: "detector, in mid-set", x: "sets alive", y: "ns a sample", points: times),
      Curve(curve: "detector, memory", x: "sets alive", y: "MB", points: memory),
    ]
  }

  private static func blobBySamples(_ isQuick: Bool) throws -> [Curve] {
    let sets = try BenchmarkRecordings.coreMotion()
    var encode: [Curve.Point] = []
    var decode: [Curve.Point] = []
    var budget = Budget(isQuick)
    let counts = isQuick ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000]
    for count in counts where budget.allows(count) {
      let signal = signal(sets, count: count)
      var blob: [UInt8] = []
      let encoder = TimelineEncoder(precision: .bounded())
      let timeline = Timeline(samples: signal)
      encode.append(.init(x: Double(count), y: try seconds { blob = try encoder.encode(timeline) }))
      decode.append(
        .init(x: Double(count), y: try seconds { _ = try TimelineDecoder().decode(blob) }))
    }
    return [
      Curve(curve: "blob, encode within 1e-4", x: "samples", y: "s", points: encode),
      Curve(curve: "blob, decode within 1e-4", x: "samples", y: "s", points: decode),
    ]
  }

  private static func storeBySets(_ isQuick: Bool) throws -> [Curve] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reptrace-bench-scaling")
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try HistoryStore(
      path: folder.appendingPathComponent("history.sqlite").path, mode: .create)
    var inserts: [Curve.Point] = []
    var pages: [Curve.Point] = []
    var count = 0
    var budget = Budget(isQuick)
    for target in isQuick ? [10, 100] : [10, 100, 1000, 5000] where budget.allows(target) {
      let begin = count
      let spent = try seconds(runs: 1) {
        while count < target {
          let samples = MotionBatch([
            .time: (0..<100).map { Double($0) / 50 + Double(count) },
            .rotationRateX: (0..<100).map { Double(($0 * 7 + count) % 50) / 10 },
          ])
          let set = CountedSet(
            cause: .declared, start: Double(count), end: Double(count) + 2, reps: [],
            confidence: 0.5)
          try store.save(
            Recording(name: "\(count)", samples: samples, unixTimeOfFirstSample: Double(count)),
            sets: [set])
          count += 1
        }
      }
      inserts.append(.init(x: Double(target), y: spent / Double(target - begin) * 1e3))
      let first = try store.sets(limit: 1)
      let page = try seconds(runs: 20) { _ = try store.sets(after: first.last, limit: 20) }
      pages.append(.init(x: Double(target), y: page * 1e3))
    }
    return [
      Curve(curve: "store, insert", x: "sets in the store", y: "ms a set", points: inserts),
      Curve(curve: "store, a page of 20 sets", x: "sets in the store", y: "ms", points: pages),
    ]
  }
}
