/// Fits the whole course of a movement from one end to the other to find its begin and end. This is robust
/// against tremor where the movement is slow.
///
/// The course is a minimum-jerk quintic (Flash and Hogan, J. Neurosci. 5, 1985) in skewed time
/// `w = u + k·u·(1 − u)`. At an end where the movement turns around without stopping, a quintic with an
/// acceleration there is added. The model is linear except in begin, end and skew, which a pattern search
/// (Hooke and Jeeves, J. ACM 8, 1961) finds.
struct PhaseFit {
  var begin: Double
  var end: Double

  private static let largestSkew = 0.5
  /// Step at which the search stops, in seconds.
  private static let precision = 0.004
  private static let pointsAtMost = 80

  /// - Parameters:
  ///   - position: Position on a grid of ``AlignedMotion/rateHz``.
  ///   - rows: The rows to fit: the movement, and rest at the ends where it stops.
  ///   - begin: Initial value, in grid points; fixed if the movement turns around there.
  init(
    _ position: [Double], rows: ClosedRange<Int>, begin: Double, end: Double, turnsAtBegin: Bool,
    turnsAtEnd: Bool
  ) {
    self.begin = begin
    self.end = end
    guard rows.count > 8, end - begin > 4 else { return }
    let stride = max(1, rows.count / Self.pointsAtMost)
    let samples = Swift.stride(from: rows.lowerBound, through: rows.upperBound, by: stride).map {
      (at: Double($0), value: position[$0])
    }
    func error(_ parameters: [Double]) -> Double {
      let (begin, end, skew) = (parameters[0], parameters[1], parameters[2])
      guard end - begin > 4, skew.magnitude <= Self.largestSkew,
        begin >= Double(rows.lowerBound) - 1, end <= Double(rows.upperBound) + 1
      else { return .infinity }
      return Self.squaredError(
        samples, begin: begin, end: end, skew: skew, turnsAtBegin: turnsAtBegin,
        turnsAtEnd: turnsAtEnd)
    }
    var best = [begin, end, 0.0]
    var least = error(best)
    guard least.isFinite else { return }
    let unit = AlignedMotion.rateHz
    var steps = [turnsAtBegin ? 0 : 0.12 * unit, turnsAtEnd ? 0 : 0.12 * unit, 0.16]
    for _ in 0..<60 where steps.contains(where: { $0 > 0 }) {
      var improved = false
      for axis in 0..<3 where steps[axis] > 0 {
        for sign in [1.0, -1] {
          var trial = best
          trial[axis] += sign * steps[axis]
          let value = error(trial)
          if value < least {
            least = value
            best = trial
            improved = true
            break
          }
        }
      }
      if improved { continue }
      for axis in 0..<3 { steps[axis] /= 2 }
      if max(steps[0], steps[1]) < Self.precision * unit, steps[2] < 0.01 { break }
    }
    self.begin = best[0]
    self.end = best[1]
  }

  /// Returns the least sum of squares over the linear coefficients, by normal equations.
  private static func squaredError(
    _ samples: [(at: Double, value: Double)], begin: Double, end: Double, skew: Double,
    turnsAtBegin: Bool, turnsAtEnd: Bool
  ) -> Double {
    var normal = [Double](repeating: 0, count: 16)
    var right = [Double](repeating: 0, count: 4)
    var square = 0.0
    for sample in samples {
      let u = min(max((sample.at - begin) / (end - begin), 0), 1)
      let v = 1 - u
      let w = u + skew * u * v
      var row = SIMD4(1, w * w * w * (10 + w * (6 * w - 15)), 0, 0)
      if turnsAtBegin { row[2] = u * u * v * v * v }
      if turnsAtEnd { row[3] = u * u * u * v * v }
      for i in 0..<4 {
        right[i] += row[i] * sample.value
        for j in 0..<4 { normal[i * 4 + j] += row[i] * row[j] }
      }
      square += sample.value * sample.value
    }
    // Gaussian elimination; absent coefficients stay 0.
    var solution = right
    for i in 0..<4 {
      let pivot = normal[i * 4 + i]
      guard pivot > 1e-9 else { continue }
      for k in (i + 1)..<max(4, i + 1) {
        let factor = normal[k * 4 + i] / pivot
        for j in i..<4 { normal[k * 4 + j] -= factor * normal[i * 4 + j] }
        solution[k] -= factor * solution[i]
      }
    }
    for i in (0..<4).reversed() {
      let pivot = normal[i * 4 + i]
      guard pivot > 1e-9 else {
        solution[i] = 0
        continue
      }
      for j in (i + 1)..<max(4, i + 1) { solution[i] -= normal[i * 4 + j] * solution[j] }
      solution[i] /= pivot
    }
    var explained = 0.0
    for i in 0..<4 { explained += solution[i] * right[i] }
    return max(square - explained, 0)
  }
}
