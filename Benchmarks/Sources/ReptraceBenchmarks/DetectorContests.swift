import Foundation
import Motion
import RepDetection
import RepTrace

/// Speed and accuracy of counting reps, compared with other methods.
///
/// The rivals are in Python: a simple one, fast and often wrong, a segmental search about as accurate as
/// ours, and two published counters (`Rivals/detector.py`, `Rivals/segmental.py`, `Rivals/counters.py`).
enum DetectorContests {
  /// - Parameter isQuick: True to use only a few whole recordings, because the segmental rival is slow.
  static func all(isQuick: Bool) throws -> [Contest] {
    let sets = try LabeledMotion.load()
    let searched = isQuick ? Array(sets.prefix(liveRecordings)) : sets
    let kind = BenchmarkRecordings.areReal ? "real" : "synthetic"
    let simple = try Rival("detector.py", sets, searched)
    let segmental = try Rival("segmental.py", sets, searched)
    return [
      live(Array(sets.prefix(liveRecordings)), kind, simple),
      given(sets, kind, simple, segmental),
      found(searched, kind, simple, segmental),
      fromFiles(sets, kind, simple, segmental),
    ]
  }

  private static let liveRecordings = 12

  /// A Python process and its input files.
  private struct Rival {
    var process: PythonRival
    var cut: String
    var whole: String
    var live: String
    var list: String

    /// Returns nil if its libraries are missing.
    init?(_ script: String, _ sets: [LabeledMotion], _ searched: [LabeledMotion]) throws {
      guard let process = PythonRival.started(script) else { return nil }
      self.process = process
      cut = try process.file(named: "labeled.bin") { LabeledMotion.arrays(sets.map(\.cut)) }
      whole = try process.file(named: "whole.bin") {
        LabeledMotion.arrays(searched.map(\.whole))
      }
      live = try process.file(named: "live.bin") {
        LabeledMotion.arrays(sets.prefix(liveRecordings).map(\.whole))
      }
      list = try process.file(named: "labeled.txt") { Data(LabeledMotion.list(sets).utf8) }
    }
  }

  private static let simpleName = "autocorrelation and find_peaks in SciPy, simple"
  private static let segmentalName = "segmental search in NumPy, SciPy and Numba"
  /// Target of the issue, whatever "the SciPy script" refers to.
  private static let wantedFactor = 10.0

  private static func exact(_ counts: [Int], _ sets: [LabeledMotion]) -> [String: Double] {
    let right = zip(counts, sets).count { $0.0 == $0.1.reps }
    return ["exactPercent": 100 * Double(right) / Double(max(1, sets.count))]
  }

  // MARK: - Live

  /// Counts whole recordings in batches of a fifth of a second, the interval at which the detector searches.
  private static func live(
    _ sets: [LabeledMotion], _ kind: String, _ rival: Rival?
  ) -> Contest {
    let samples = sets.reduce(0) { $0 + $1.whole.samples.count }
    let pieces = sets.map { set in
      stride(from: 0, to: set.whole.samples.count, by: 10).map {
        set.whole.samples[$0..<min($0 + 10, set.whole.samples.count)]
      }
    }
    let oursCounts = Box([Int]())
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
        rival.process.contestant("SciPy, the last 30 s anew every 0.2 s", "live", rival.live))
      contestants.append(
        rival.process.contestant(
          "SciPy, sosfilt with state, find_peaks in 30 s every 0.2 s", "incremental", rival.live))
    }
    contestants.append(plain(pieces, sets))
    return Contest(
      title: "detector, live, \(sets.count) whole \(kind) recordings", amount: Double(samples),
      unit: "samples", contestants: contestants, repetitions: 3, wantedRate: 1e9 / 4000,
      tolerance: nil)
  }

  /// Applies the rule of simple counters to each recording's batches.
  private static func plain(
    _ recordings: [[MotionBatch]], _ sets: [LabeledMotion]
  ) -> Contest.Contestant {
    let counts = Box([Int]())
    return .init(name: "smoothing and threshold, one axis", figures: exact(counts.value, sets)) {
      counts.value = recordings.map { batches in
        var counter = PlainThresholdCounter()
        for batch in batches {
          for (time, value) in zip(batch.times, batch[.userAccelerationX]) {
            counter.append(value, at: time)
          }
        }
        return counter.count
      }
      return 0
    }
  }

  // MARK: - Sets given

  private static func given(
    _ sets: [LabeledMotion], _ kind: String, _ simple: Rival?, _ segmental: Rival?
  ) -> Contest {
    let samples = sets.reduce(0) { $0 + $1.cut.samples.count }
    let oursCounts = Box([Int]())
    var contestants = [
      Contest.Contestant(
        name: "RepTrace", figures: exact(oursCounts.value, sets),
        run: {
          oursCounts.value = sets.map { RepDetector.countSet(in: $0.cut.samples).reps.count }
          return 0
        })
    ]
    if let segmental {
      contestants.append(
        segmental.process.contestant(
          segmentalName, "given", segmental.cut, wanted: wantedFactor))
    }
    if let simple {
      contestants.append(
        simple.process.contestant(simpleName, "given", simple.cut, wanted: wantedFactor))
      for (name, task) in [("RecoFit's counter", "recofit"), ("uLift's counter", "ulift")] {
        contestants.append(simple.process.contestant("\(name), in SciPy", task, simple.cut))
      }
    }
    contestants.append(plain(sets.map { [$0.cut.samples] }, sets))
    return Contest(
      title: "detector, \(sets.count) given \(kind) sets from arrays in memory",
      amount: Double(samples), unit: "samples", contestants: contestants, repetitions: 5,
      tolerance: nil)
  }

  // MARK: - Sets found

  private static func found(
    _ sets: [LabeledMotion], _ kind: String, _ simple: Rival?, _ segmental: Rival?
  ) -> Contest {
    let counts = Box([Int]())
    var contestants = [
      Contest.Contestant(
        name: "RepTrace", figures: exact(counts.value, sets),
        run: {
          counts.value = sets.map { set in
            let found = RepDetector.detectSets(in: set.whole.samples)
            return reps(of: found, overlapping: set.span)
          }
          return 0
        })
    ]
    if let segmental {
      contestants.append(
        segmental.process.contestant(
          segmentalName, "found", segmental.whole, wanted: wantedFactor))
    }
    if let simple {
      contestants.append(
        simple.process.contestant(
          "\(simpleName), the whole taken for one set", "whole", simple.whole))
    }
    return Contest(
      title: "detector, sets found in \(sets.count) whole \(kind) recordings",
      amount: Double(sets.reduce(0) { $0 + $1.whole.samples.count }), unit: "samples",
      contestants: contestants, repetitions: 3, tolerance: nil, budgetFactor: 3)
  }

  /// Returns the number of reps of the set with the largest overlap with the labeled one; 0 if none overlaps.
  private static func reps(of sets: [CountedSet], overlapping span: ClosedRange<Double>) -> Int {
    func overlap(_ set: CountedSet) -> Double {
      min(set.end, span.upperBound) - max(set.start, span.lowerBound)
    }
    let best = sets.max { overlap($0) < overlap($1) }
    return best.map { overlap($0) > 0 ? $0.reps.count : 0 } ?? 0
  }

  private static func fromFiles(
    _ sets: [LabeledMotion], _ kind: String, _ simple: Rival?, _ segmental: Rival?
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
    if let segmental {
      contestants.append(
        segmental.process.contestant(
          "pandas' C reader, \(segmentalName)", "files", segmental.list, wanted: wantedFactor))
    }
    if let simple {
      contestants.append(
        simple.process.contestant("pandas' C reader, \(simpleName)", "files", simple.list))
    }
    return Contest(
      title: "detector, the same sets from CSV files", amount: Double(samples), unit: "samples",
      contestants: contestants, repetitions: 5, tolerance: nil)
  }
}

/// A value shared by closures.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
