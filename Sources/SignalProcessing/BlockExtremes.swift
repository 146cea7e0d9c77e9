/// The minimum and maximum of each lane, and its largest fall and rise, in consecutive blocks of a signal.
/// They give the range of a lane and show which blocks cannot contain a turning point.
package struct BlockExtremes {
  /// Values per block.
  static let size = 8

  struct Block {
    var low: SIMD8<Float>
    var high: SIMD8<Float>
    /// Largest drop from an earlier value in the block to a later one.
    var fall = SIMD8<Float>()
    /// Largest rise from an earlier value in the block to a later one.
    var rise = SIMD8<Float>()
  }

  private(set) var blocks: [Block] = []

  package init() {}

  /// Replaces the contents with the extremes of `signal`, reusing storage. The last block may be shorter.
  package mutating func read(_ signal: UnsafeBufferPointer<SIMD8<Float>>) {
    blocks.removeAll(keepingCapacity: true)
    blocks.reserveCapacity((signal.count + Self.size - 1) / Self.size)
    var begin = 0
    while begin < signal.count {
      var block = Block(low: signal[begin], high: signal[begin])
      let end = min(begin &+ Self.size, signal.count)
      for i in (begin &+ 1)..<max(end, begin &+ 1) {
        let x = signal[i]
        block.low = block.low.lesser(x)
        block.high = block.high.greater(x)
        block.fall = block.fall.greater(block.high - x)
        block.rise = block.rise.greater(x - block.low)
      }
      blocks.append(block)
      begin = end
    }
  }

  /// The extremes of the whole signal; nil if it is empty.
  package var whole: (low: SIMD8<Float>, high: SIMD8<Float>)? {
    guard var (low, high) = blocks.first.map({ ($0.low, $0.high) }) else { return nil }
    for block in blocks {
      low = low.lesser(block.low)
      high = high.greater(block.high)
    }
    return (low, high)
  }
}
