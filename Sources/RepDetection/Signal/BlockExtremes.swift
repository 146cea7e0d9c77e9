/// The least and the greatest value of each lane of a signal, block by block: what tells how wide the
/// signal is, and in which blocks it can turn at all.
struct BlockExtremes {
  /// Values per block.
  static let size = 8
  private(set) var low: [SIMD8<Float>] = []
  private(set) var high: [SIMD8<Float>] = []

  /// Takes the extremes of another signal, in the same memory. The last block may be shorter.
  mutating func read(_ signal: UnsafeBufferPointer<SIMD8<Float>>) {
    low.removeAll(keepingCapacity: true)
    high.removeAll(keepingCapacity: true)
    var begin = 0
    while begin < signal.count {
      var low = signal[begin]
      var high = low
      let end = min(begin &+ Self.size, signal.count)
      for i in (begin &+ 1)..<max(end, begin &+ 1) {
        let x = signal[i]
        low = low.lesser(x)
        high = high.greater(x)
      }
      self.low.append(low)
      self.high.append(high)
      begin = end
    }
  }

  /// The extremes of the whole signal; nil if it is empty.
  var whole: (low: SIMD8<Float>, high: SIMD8<Float>)? {
    guard var least = low.first, var greatest = high.first else { return nil }
    for block in low { least = least.lesser(block) }
    for block in high { greatest = greatest.greater(block) }
    return (least, greatest)
  }
}
