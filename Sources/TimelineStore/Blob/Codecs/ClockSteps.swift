/// Time stamps of sensors are often counts of a slow clock: their steps are one of two or three
/// lengths, each with a little noise. A choice among a few steps then takes a bit or two, where a
/// difference to the mean takes a byte.
enum ClockSteps {
  /// Sets of 1, 2, 4 and 8 steps that the differences gather around: medians of clusters (Lloyd's
  /// algorithm in one dimension, with medians for means).
  static func candidates(of differences: [Int64]) -> [[Int64]] {
    // The first row has no step.
    let sorted = differences.dropFirst().sorted()
    guard sorted.count >= 16 else { return [] }
    return [1, 2, 4, 8].map { cluster(sorted, count: $0) }
  }

  private static func cluster(_ sorted: [Int64], count: Int) -> [Int64] {
    var centers = initialCenters(sorted, count: count)
    for _ in 0..<8 {
      var next: [Int64] = []
      var start = 0
      for index in centers.indices {
        var end = sorted.count
        if index + 1 < centers.count {
          let middle = centers[index] &+ (centers[index + 1] &- centers[index]) / 2
          end = max(start, sorted.firstIndex { $0 > middle } ?? sorted.count)
        }
        next.append(start < end ? sorted[start + (end - start) / 2] : centers[index])
        start = end
      }
      if next == centers { break }
      centers = next.sorted()
    }
    return centers
  }

  /// The median, and in turn whatever lies farthest from those chosen among the quantiles.
  private static func initialCenters(_ sorted: [Int64], count: Int) -> [Int64] {
    let quantiles = (0..<64).map { sorted[($0 * 2 + 1) * sorted.count / 128] }
    var centers = [quantiles[32]]
    while centers.count < count {
      var farthest = (distance: UInt64(0), value: centers[0])
      for value in quantiles {
        let distance = centers.map { ($0 &- value).magnitude }.min() ?? 0
        if distance > farthest.distance { farthest = (distance, value) }
      }
      centers.append(farthest.value)
    }
    return centers.sorted()
  }

  /// The number to be written for each difference: the distance to the nearest step, and which.
  /// Nil where one is too large.
  static func codes(of differences: [Int64], steps: [Int64]) -> [UInt64]? {
    let bits = UInt64(steps.count <= 1 ? 0 : Int.bitWidth - (steps.count - 1).leadingZeroBitCount)
    var largest: UInt64 = 0
    let codes = differences.map { difference in
      var best = (code: UInt64.max, index: UInt64(0))
      for (index, step) in steps.enumerated() {
        let distance = ResidualCoding.zigzag(difference &- step)
        if distance < best.code { best = (distance, UInt64(index)) }
      }
      largest = max(largest, best.code)
      return best.code << bits | best.index
    }
    return largest < 1 << 60 ? codes : nil
  }
}
