import Motion
import RepDetection
import SignalProcessing

/// Explains why each movement outside of the counted reps is not a rep.
///
/// Near a set, movements are compared with the counted reps, by the thresholds of the detector's
/// configuration. Elsewhere the review reports the rejections of the detector's search, if they were
/// collected (`RepDetector.diagnose(_:phases:configuration:)`).
///
/// 1. Angular speed is low-passed at 3 Hz. Within and beside a set, a movement is where it exceeds 10 % of
///    the reps' median peak; elsewhere, where it exceeds the detector's rest level.
/// 2. Beside a set (within the longer of 3 s and 1.5 rep durations) a movement is compared with the set's
///    reps in angular path, duration and shape (the measure of ``RepAnalysis/similarity`` against the mean
///    rep).
/// 3. Partial reps are those that the detector reported.
public enum MovementReview {
  /// - Parameters:
  ///   - samples: The whole recording, or as much as is kept of it, in any units and in order of time.
  ///   - rejections: The detector's rejections for these samples.
  /// - Returns: Movements in order of time. Without a gyroscope, or if the samples span four hours or more,
  ///   only rejected runs and sets.
  public static func uncounted(
    _ sets: [CountedSet], samples: MotionBatch, rejections: [CandidateRejection] = [],
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> [UncountedMovement] {
    let standard = samples.inStandardUnits()
    guard let first = standard.times.first, let last = standard.times.last, first < last,
      let motion = AlignedMotion(standard, span: first...last, longestBridgedGap: 0.3),
      let rates = motion.rotationRate
    else { return searched(rejections) }
    let speeds = ZeroPhaseFilter.lowPass(
      rates.map { $0.length }, cornerHz: 3, rateHz: AlignedMotion.rateHz)
    var isCovered = [Bool](repeating: false, count: motion.count)
    for set in sets {
      for rep in set.reps + set.partialReps {
        for row in motion.index(
          at: rep.start)...max(
            motion.index(at: rep.start), motion.index(at: rep.end))
        { isCovered[row] = true }
      }
    }
    let shapes = RepSimilarity(motion)
    var result: [UncountedMovement] = []
    for (index, set) in sets.enumerated() {
      result += beside(
        set, index: index, motion: motion, speeds: speeds, shapes: shapes, isCovered: &isCovered,
        configuration: configuration)
    }
    let runs = searched(rejections)
    for run in runs {
      let low = motion.index(at: run.start)
      for index in low...max(low, motion.index(at: run.end)) { isCovered[index] = true }
    }
    result += runs
    let rest = configuration.restRotationRadPerS
    for bout in bouts(
      in: 0..<motion.count, where: { speeds[$0] > rest && !isCovered[$0] && !motion.isGap[$0] },
      bridging: 50)
    where bout.count >= 50 {
      let (start, end) = (motion.time(bout.lowerBound), motion.time(bout.upperBound - 1))
      let window = rejections.filter { $0.subject == .window }.max {
        overlap($0, start, end) < overlap($1, start, end)
      }
      let isKnown = window.map { overlap($0, start, end) > 0 } ?? false
      result.append(
        UncountedMovement(
          start: start, end: end, kind: .elsewhere,
          reason: isKnown ? window.map { .search($0) } ?? .noRun : .noRun, set: nil))
    }
    return result.sorted { $0.start < $1.start }
  }

  /// Returns the runs and sets that the detector rejected.
  private static func searched(_ rejections: [CandidateRejection]) -> [UncountedMovement] {
    rejections.filter { $0.subject != .window }.map {
      UncountedMovement(
        start: $0.start, end: $0.end, kind: .elsewhere, reason: .search($0), set: nil)
    }
  }

  private static func overlap(
    _ rejection: CandidateRejection, _ start: Double, _ end: Double
  ) -> Double {
    min(rejection.end, end) - max(rejection.start, start)
  }

  private static func beside(
    _ set: CountedSet, index: Int, motion: AlignedMotion, speeds: [Double],
    shapes: RepSimilarity, isCovered: inout [Bool], configuration: DetectorConfiguration
  ) -> [UncountedMovement] {
    // A damaged history may hold reps in any order.
    guard let start = set.reps.map({ $0.start }).min(), let end = set.reps.map({ $0.end }).max(),
      let usual = median(of: set.reps.map { $0.duration }), usual > 0
    else { return [] }
    let reps = set.reps.map { rep in
      let low = motion.index(at: rep.start)
      return low...max(low, motion.index(at: rep.end))
    }
    let margin = max(3, 1.5 * usual)
    let low = motion.index(at: start - margin)
    let span = low..<(max(low, motion.index(at: end + margin)) + 1)
    let peak = median(of: reps.map { speeds[$0].max() ?? 0 }) ?? 0
    let typicalTravel = median(of: reps.map { travel(speeds, $0) }) ?? 0
    let similarities = shapes.leaveOneOut(reps).compactMap { $0 }
    let needed = Double(configuration.runSimilarity) * (median(of: similarities) ?? 1)
    let shape = shapes.template(reps)
    let found = bouts(
      in: span, where: { speeds[$0] > 0.1 * peak && !isCovered[$0] && !motion.isGap[$0] },
      bridging: 15)
    // A stored set may lack the rest in which its partial reps lie.
    let present = (motion.time(0) - 0.1)...(motion.time(motion.count - 1) + 0.1)
    let partialReps = set.partialReps.filter {
      present.contains($0.start) && present.contains($0.end)
    }
    var result = partialReps.map { rep in
      let low = motion.index(at: rep.start)
      let rows = low...max(low, motion.index(at: rep.end))
      return UncountedMovement(
        start: rep.start, end: rep.end, kind: .partial,
        reason: .tooSmall(share: typicalTravel > 0 ? travel(speeds, rows) / typicalTravel : 0),
        set: index)
    }
    for bout in found {
      // Too short to be more than the slow begin or end of a neighbouring rep.
      guard bout.count >= 20 else { continue }
      let rows = bout.lowerBound...(bout.upperBound - 1)
      let seconds = Double(bout.count) / AlignedMotion.rateHz
      let share = typicalTravel > 0 ? travel(speeds, rows) / typicalTravel : 0
      let similarity = shape?.similarity(of: rows) ?? 0
      let reason: UncountedMovement.Reason =
        if share < Double(configuration.leastExtent) {
          .tooSmall(share: share)
        } else if seconds < usual / configuration.search.repLengthRatio {
          .tooShort(seconds: seconds, usual: usual)
        } else if seconds > usual * configuration.search.repLengthRatio {
          .tooLong(seconds: seconds, usual: usual)
        } else if similarity < needed {
          .unlike(similarity: similarity, needed: needed)
        } else {
          .worseFit(similarity: similarity)
        }
      result.append(
        UncountedMovement(
          start: motion.time(rows.lowerBound), end: motion.time(rows.upperBound),
          kind: .besideReps, reason: reason, set: index))
    }
    for row in span { isCovered[row] = true }
    return result
  }

  /// Returns the angular path, out and back, in radians.
  private static func travel(_ speeds: [Double], _ rows: ClosedRange<Int>) -> Double {
    speeds[rows].reduce(0, +) / AlignedMotion.rateHz
  }

  /// Returns the runs of rows that satisfy a condition; merges runs with fewer than `bridging` rows between them.
  private static func bouts(
    in rows: Range<Int>, where condition: (Int) -> Bool, bridging: Int
  ) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for row in rows where condition(row) {
      if let last = result.last, row - last.upperBound < bridging {
        result[result.count - 1] = last.lowerBound..<(row + 1)
      } else {
        result.append(row..<(row + 1))
      }
    }
    return result
  }
}
