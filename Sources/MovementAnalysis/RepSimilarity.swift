import SignalProcessing

/// How alike the reps of a set are.
///
/// 1. Every sensor channel is low-passed at 5 Hz; the channels of one quantity are divided by their
///    common root mean square about the mean over the set.
/// 2. Every rep is resampled to 24 phases, the mean of each channel over the rep taken off.
/// 3. The similarity of a rep is the cosine between it and the sum of the other reps, each scaled
///    to length 1 (leave one out), floored at 0.
enum RepSimilarity {
  private static let phases = 24

  /// A value per rep; nil for reps in a gap, and for all with fewer than two usable ones.
  static func leaveOneOut(_ motion: AlignedMotion, reps: [ClosedRange<Int>]) -> [Double?] {
    let groups = channelGroups(motion, rows: reps.flatMap { Array($0) })
    let shapes = reps.map { rep -> [Double]? in
      guard rep.count > 4, !motion.isGap[rep].contains(true) else { return nil }
      return shape(groups, rep)
    }
    var sum: [Double] = []
    for shape in shapes.compactMap({ $0 }) {
      sum = sum.isEmpty ? shape : zip(sum, shape).map { $0 + $1 }
    }
    guard shapes.count(where: { $0 != nil }) > 1 else { return reps.map { _ in nil } }
    return shapes.map { shape in
      guard let shape else { return nil }
      var product = 0.0
      var squares = 0.0
      for (own, total) in zip(shape, sum) {
        product += own * (total - own)
        squares += (total - own) * (total - own)
      }
      guard squares > 1e-12 else { return nil }
      return min(max(product / squares.squareRoot(), 0), 1)
    }
  }

  /// The mean rep of a set, to compare other movements with.
  struct Template {
    private let groups: [[SIMD3<Double>]]
    private let mean: [Double]
    private let length: Double

    /// Nil where no rep can be used.
    init?(_ motion: AlignedMotion, reps: [ClosedRange<Int>]) {
      groups = RepSimilarity.channelGroups(motion, rows: reps.flatMap { Array($0) })
      var sum: [Double] = []
      for rep in reps where rep.count > 4 && !motion.isGap[rep].contains(true) {
        guard let shape = RepSimilarity.shape(groups, rep) else { continue }
        sum = sum.isEmpty ? shape : zip(sum, shape).map { $0 + $1 }
      }
      mean = sum
      length = sum.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard length > 1e-9 else { return nil }
    }

    /// 0 to 1.
    func similarity(of rows: ClosedRange<Int>) -> Double {
      guard rows.count > 4, let shape = RepSimilarity.shape(groups, rows) else { return 0 }
      return min(max(zip(shape, mean).reduce(0) { $0 + $1.0 * $1.1 } / length, 0), 1)
    }
  }

  private static func channelGroups(_ motion: AlignedMotion, rows: [Int]) -> [[SIMD3<Double>]] {
    var groups: [[SIMD3<Double>]] = []
    for group in [
      motion.gravity, motion.rotationRate, motion.userAcceleration ?? motion.totalAcceleration,
    ] {
      guard let group else { continue }
      let smooth = ZeroPhaseFilter.lowPass(group, cornerHz: 5, rateHz: AlignedMotion.rateHz)
      let mean = rows.reduce(SIMD3<Double>()) { $0 + smooth[$1] } / Double(max(rows.count, 1))
      let power = rows.reduce(0.0) { sum, row in
        let deviation = smooth[row] - mean
        return sum + deviation.dot(deviation)
      }
      let rms = (power / Double(max(rows.count, 1))).squareRoot()
      guard rms > 1e-6 else { continue }
      groups.append(smooth.map { $0 / rms })
    }
    return groups
  }

  /// The rep's course in all channels, as a vector of length 1.
  private static func shape(_ groups: [[SIMD3<Double>]], _ rep: ClosedRange<Int>) -> [Double]? {
    var result: [Double] = []
    for group in groups {
      var course: [SIMD3<Double>] = []
      for phase in 0..<phases {
        let place =
          Double(rep.lowerBound) + Double(rep.count - 1) * Double(phase) / Double(phases - 1)
        let low = min(Int(place), rep.upperBound)
        let high = min(low + 1, rep.upperBound)
        course.append(group[low] + (group[high] - group[low]) * (place - Double(low)))
      }
      let mean = course.reduce(SIMD3<Double>()) { $0 + $1 } / Double(phases)
      for value in course {
        let deviation = value - mean
        result += [deviation.x, deviation.y, deviation.z]
      }
    }
    let length = result.reduce(0) { $0 + $1 * $1 }.squareRoot()
    guard length > 1e-9, length.isFinite else { return nil }
    return result.map { $0 / length }
  }
}
