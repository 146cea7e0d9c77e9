/// Codes differences of times as the choice of a step and the distance to it.
///
/// Times of sensors are often counts of a slow clock: their steps have two or three lengths, with little noise.
/// Choosing one takes a bit or two; the difference to the mean would take a byte.
enum ClockSteps {
  /// Returns about 400 of the differences, without the first row, which has none.
  private static func probe(_ differences: [Int64]) -> [Int64] {
    stride(from: 1, to: differences.count, by: max(1, differences.count / 400))
      .map { differences[$0] }
  }

  /// Returns the steps whose codes take the fewest bits, estimated from a sample.
  static func best(for differences: [Int64]) -> [Int64]? {
    let probes = probe(differences)
    let length = ResidualCoding.blockLength
    let sample = stride(from: 0, to: probes.count, by: 3 * length)
      .flatMap { probes[$0..<min($0 + length, probes.count)] }[...]
    var best: (bits: UInt64, steps: [Int64])?
    for steps in candidates(of: probes) {
      guard let codes = codes(of: sample, steps: steps) else { continue }
      let bits = IntegerColumn.estimatedBits(codes, every: 1)
      if bits < best?.bits ?? .max { best = (bits, steps) }
    }
    return best?.steps
  }

  /// Returns sets of 1, 2, 4 and 8 steps: the medians of the largest clusters. A cluster ends at a gap wider than the
  /// noise, or than a fraction of it.
  private static func candidates(of differences: [Int64]) -> [[Int64]] {
    let sorted = differences.sorted()
    guard sorted.count >= 16 else { return [] }
    let median = sorted[sorted.count / 2]
    let deviations = stride(from: 0, to: sorted.count, by: 4)
      .map { (sorted[$0] &- median).magnitude }.sorted()
    let noise = min(deviations[deviations.count / 4], 1 << 40) * 8
    var candidates: [[Int64]] = []
    for shift in [0, 4, 8, 12] {
      for steps in clusters(of: sorted, widestGap: noise >> shift + 1)
      where !candidates.contains(steps) { candidates.append(steps) }
      if noise >> shift == 0 { break }
    }
    return candidates
  }

  private static func clusters(of sorted: [Int64], widestGap: UInt64) -> [[Int64]] {
    var clusters: [(count: Int, center: Int64)] = []
    var start = 0
    for row in 1...sorted.count {
      if row < sorted.count, (sorted[row] &- sorted[row - 1]).magnitude <= widestGap { continue }
      // Each has to be worth its place in the table.
      if row - start >= 4 { clusters.append((row - start, sorted[start + (row - start) / 2])) }
      start = row
    }
    clusters.sort { ($0.count, $1.center) > ($1.count, $0.center) }
    let centers = clusters.prefix(8).map(\.center)
    guard let first = centers.first else { return [] }
    return [1, 2, 4, 8].filter { $0 < 2 * centers.count }.map { count in
      let chosen = Array(centers.prefix(count))
      return chosen + Array(repeating: first, count: count - chosen.count)
    }
  }

  /// Returns codes of each difference's nearest step and distance; nil if one is too large.
  static func codes(of differences: ArraySlice<Int64>, steps: [Int64]) -> [UInt64]? {
    let bits = UInt64(steps.count <= 1 ? 0 : Int.bitWidth - (steps.count - 1).leadingZeroBitCount)
    var largest: UInt64 = 0
    let codes = [UInt64](unsafeUninitializedCapacity: differences.count) { codes, written in
      steps.withUnsafeBufferPointer { steps in
        differences.withUnsafeBufferPointer { differences in
          for row in differences.indices {
            var best = (code: UInt64.max, index: 0)
            for index in steps.indices {
              let distance = ResidualCoding.zigzag(differences[row] &- steps[index])
              if distance < best.code { best = (distance, index) }
            }
            largest = max(largest, best.code)
            codes[row] = best.code &<< bits | UInt64(truncatingIfNeeded: best.index)
          }
        }
      }
      written = differences.count
    }
    return largest < 1 << 60 ? codes : nil
  }
}
