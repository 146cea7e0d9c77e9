/// A stretch read as a set, and read again where the reading is in doubt (step 8c).
///
/// Where the first or the last rep is weak, the count hangs on where the stretch happens to be cut:
/// the axes, scales and phases that are tried all follow from it. If neighbouring settings of the
/// decision give another count, the stretch is read a bit narrower and a bit wider too, and the
/// middle of the three counts is taken.
struct SecondOpinion {
  let settlement: Settlement
  /// The rows that it was read from.
  let rows: Range<Int>

  /// - Parameters:
  ///   - limits: rows that the stretch may be widened to.
  init(
    of rows: Range<Int>, in buffer: FrameStore, limits: Range<Int>,
    configuration: DetectorConfiguration
  ) {
    let first = Settlement(buffer.frames(rows)[...], configuration: configuration)
    guard
      let best = first.best, first.evidence.stability < configuration.sureStability,
      configuration.opinionShiftInPeriods > 0
    else {
      settlement = first
      self.rows = rows
      return
    }
    let shift = max(
      1,
      Math.integer(
        configuration.opinionShiftInPeriods * best.period * FrontEnd.frameRateHz,
        clampedTo: 0...rows.count))
    var readings = [(first, rows)]
    let wider =
      max(
        limits.lowerBound, rows.lowerBound - shift)..<min(
        limits.upperBound, rows.upperBound + shift)
    let narrower = [shift, 2 * shift].map {
      (rows.lowerBound + $0)..<max(rows.lowerBound + $0, rows.upperBound - $0)
    }
    for other in wider == rows ? narrower : [wider, narrower[0]] where other.count > 8 {
      readings.append((Settlement(buffer.frames(other)[...], configuration: configuration), other))
    }
    let counts = readings.map { $0.0.best?.segments.count ?? 0 }
    let middle = counts.sorted()[counts.count / 2]
    let chosen = readings[counts.firstIndex(of: middle) ?? 0]
    settlement = chosen.0
    self.rows = chosen.1
  }
}
