import Foundation
import Motion
import RepDetection
import RepTrace

/// Counting reps, in speed and in how often the count is right, against what others do.
enum DetectorContests {
  static func all() throws -> [Contest] {
    let sets = try LabeledMotion.load()
    let python = try? PythonRival("detector.py")
    let rival = try python.map { python in
      (
        process: python,
        arrays: try python.file(named: "labeled.bin") { LabeledMotion.arrays(sets.map(\.cut)) },
        whole: try python.file(named: "whole.bin") {
          LabeledMotion.arrays(sets.prefix(liveRecordings).map(\.whole))
        },
        list: try python.file(named: "labeled.txt") { Data(LabeledMotion.list(sets).utf8) }
      )
    }
    let kind = BenchmarkRecordings.areReal ? "real" : "synthetic"
    return [
      live(Array(sets.prefix(liveRecordings)), kind, rival.map { ($0.process, $0.whole) }),
      given(sets, kind, rival.map { ($0.process, $0.arrays) }),
      fromFiles(sets, kind, rival.map { ($0.process, $0.list) }),
    ]
  }

  private static let liveRecordings = 12

  private static func exact(_ counts: [Int], _ sets: [LabeledMotion]) -> [String: Double] {
    let right = zip(counts, sets).count { $0.0 == $0.1.reps }
    return ["exactPercent": 100 * Double(right) / Double(max(1, sets.count))]
  }

  // MARK: - Live

  /// Whole recordings in pieces of a fifth of a second, as often as the detector looks.
  private static func live(
    _ sets: [LabeledMotion], _ kind: String, _ rival: (process: PythonRival, path: String)?
  ) -> Contest {
    let samples = sets.reduce(0) { $0 + $1.whole.samples.count }
    let pieces = sets.map { set in
      stride(from: 0, to: set.whole.samples.count, by: 10).map {
        set.whole.samples[$0..<min($0 + 10, set.whole.samples.count)]
      }
    }
    let oursCounts = Box([Int]())
    let plainCounts = Box([Int]())
    var contestants = [
      Contest.Contestant(
        name: "RepTrace", figures: exact(oursCounts.value, sets),
        run: {
          oursCounts.value = pieces.map { pieces in
            var detector = RepDetector()
            var reps = 0
            let collect = { (event: DetectionEvent) in
              if case .setEnded(_, let set) = event { reps += set.reps.count }
            }
            for piece in pieces { detector.append(piece, onEvent: collect) }
            detector.finish(onEvent: collect)
            return reps
          }
          return 0
        })
    ]
    if let rival {
      contestants.append(
        rival.process.contestant("SciPy, the last 30 s anew every 0.2 s", "live", rival.path))
      contestants.append(
        rival.process.contestant(
          "SciPy, sosfilt with state, find_peaks in 30 s every 0.2 s", "incremental", rival.path))
    }
    contestants.append(
      .init(
        name: "smoothing and threshold, one axis", figures: exact(plainCounts.value, sets)
      ) {
        plainCounts.value = pieces.map { pieces in
          var counter = PlainThresholdCounter()
          for piece in pieces {
            let values = piece[.userAccelerationX]
            for (time, value) in zip(piece.times, values) { counter.append(value, at: time) }
          }
          return counter.count
        }
        return 0
      })
    return Contest(
      title: "detector, live, \(sets.count) whole \(kind) recordings", amount: Double(samples),
      unit: "samples", contestants: contestants, repetitions: 3, wantedRate: 1e9 / 4000,
      tolerance: nil)
  }

  // MARK: - Sets given

  private static func given(
    _ sets: [LabeledMotion], _ kind: String, _ rival: (process: PythonRival, path: String)?
  ) -> Contest {
    let samples = sets.reduce(0) { $0 + $1.cut.samples.count }
    let oursCounts = Box([Int]())
    let plainCounts = Box([Int]())
    var contestants = [
      Contest.Contestant(
        name: "RepTrace", figures: exact(oursCounts.value, sets),
        run: {
          oursCounts.value = sets.map { RepDetector.countSet(in: $0.cut.samples).reps.count }
          return 0
        })
    ]
    if let rival {
      contestants.append(
        rival.process.contestant(
          "SciPy, gravity, autocorrelation, peaks", "given", rival.path, wanted: 10))
    }
    contestants.append(
      .init(
        name: "smoothing and threshold, one axis", figures: exact(plainCounts.value, sets)
      ) {
        plainCounts.value = sets.map { set in
          var counter = PlainThresholdCounter()
          let values = set.cut.samples[.userAccelerationX]
          for (time, value) in zip(set.cut.samples.times, values) {
            counter.append(value, at: time)
          }
          return counter.count
        }
        return 0
      })
    return Contest(
      title: "detector, \(sets.count) given \(kind) sets from arrays in memory",
      amount: Double(samples), unit: "samples", contestants: contestants, repetitions: 5,
      tolerance: nil)
  }

  private static func fromFiles(
    _ sets: [LabeledMotion], _ kind: String, _ rival: (process: PythonRival, path: String)?
  ) -> Contest {
    let samples = sets.reduce(0) { $0 + $1.whole.samples.count }
    let counts = Box([Int]())
    var contestants = [
      Contest.Contestant(
        name: "RepTrace", figures: exact(counts.value, sets),
        run: {
          counts.value = try sets.map { set in
            let whole = try BenchmarkRecordings.batch(set.file)
            return RepDetector.countSet(in: LabeledMotion.cut(whole, set.span)).reps.count
          }
          return 0
        })
    ]
    if let rival {
      contestants.append(
        rival.process.contestant("pandas' C reader and SciPy", "files", rival.path))
    }
    return Contest(
      title: "detector, the same sets from CSV files", amount: Double(samples), unit: "samples",
      contestants: contestants, repetitions: 5, tolerance: nil)
  }
}

/// A value that closures share.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
