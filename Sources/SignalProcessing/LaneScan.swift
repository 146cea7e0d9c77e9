/// Finds the turning points of one lane of a signal.
struct LaneScan {
  /// The first value of the lane; successive values are eight floats apart.
  let values: UnsafePointer<Float>
  /// The extremes of the signal's blocks, 32 floats per block.
  let blocks: UnsafePointer<Float>
  let count: Int
  let hysteresis: Float

  /// Number of values per block.
  private var size: Int { BlockExtremes.size }

  /// An extreme and its position: an index, or ~b if only its block b is known so far.
  private struct Extreme {
    var value: Float
    var position: Int
  }

  /// The extremes of the lane in a block, and its largest fall and rise.
  private struct Block {
    let low: Float
    let high: Float
    let fall: Float
    let rise: Float
  }

  @inline(__always)
  private func block(_ index: Int) -> Block {
    let first = blocks + index &* 32
    return Block(low: first[0], high: first[8], fall: first[16], rise: first[24])
  }

  func run(_ turns: inout TurningPoints) {
    guard var (i, isRising) = start(&turns) else { return }
    var extreme = Extreme(value: values[i &* 8], position: i)
    i &+= 1
    while i < count {
      let index = i / size
      if i == index &* size {
        let block = block(index)
        if isRising {
          // The signal turns if it falls by the threshold from the block's own values or from earlier ones.
          if block.fall < hysteresis, extreme.value - block.low < hysteresis {
            if block.high > extreme.value {
              extreme = Extreme(value: block.high, position: ~index)
            }
            i &+= size
            continue
          }
        } else if block.rise < hysteresis, block.high - extreme.value < hysteresis {
          if block.low < extreme.value { extreme = Extreme(value: block.low, position: ~index) }
          i &+= size
          continue
        }
      }
      let end = min((index &+ 1) &* size, count)
      while i < end {
        if isRising {
          isRising = !rise(&i, end, &extreme, &turns)
        } else {
          isRising = fall(&i, end, &extreme, &turns)
        }
      }
    }
  }

  /// Advances to where the signal turns downwards.
  ///
  /// - Returns: True if it turns before `end`.
  @inline(__always)
  private func rise(
    _ i: inout Int, _ end: Int, _ extreme: inout Extreme, _ turns: inout TurningPoints
  ) -> Bool {
    while i < end {
      let x = values[i &* 8]
      if x > extreme.value {
        extreme = Extreme(value: x, position: i)
      } else if extreme.value - x >= hysteresis {
        turns.maxima.append(index(of: extreme))
        extreme = Extreme(value: x, position: i)
        i &+= 1
        return true
      }
      i &+= 1
    }
    return false
  }

  /// Advances to where the signal turns upwards.
  @inline(__always)
  private func fall(
    _ i: inout Int, _ end: Int, _ extreme: inout Extreme, _ turns: inout TurningPoints
  ) -> Bool {
    while i < end {
      let x = values[i &* 8]
      if x < extreme.value {
        extreme = Extreme(value: x, position: i)
      } else if x - extreme.value >= hysteresis {
        turns.minima.append(index(of: extreme))
        extreme = Extreme(value: x, position: i)
        i &+= 1
        return true
      }
      i &+= 1
    }
    return false
  }

  /// Returns the first index at which the signal has risen or fallen by the threshold, and the direction; nil
  /// if there is none.
  private func start(_ turns: inout TurningPoints) -> (index: Int, isRising: Bool)? {
    var highest = Extreme(value: values[0], position: 0)
    var lowest = highest
    var i = 0
    while i < count {
      let index = i / size
      let block = block(index)
      if block.fall < hysteresis, block.rise < hysteresis,
        highest.value - block.low < hysteresis, block.high - lowest.value < hysteresis
      {
        if block.high > highest.value { highest = Extreme(value: block.high, position: ~index) }
        if block.low < lowest.value { lowest = Extreme(value: block.low, position: ~index) }
        i &+= size
        continue
      }
      let end = min((index &+ 1) &* size, count)
      while i < end {
        let x = values[i &* 8]
        if x > highest.value { highest = Extreme(value: x, position: i) }
        if x < lowest.value { lowest = Extreme(value: x, position: i) }
        if highest.value - x >= hysteresis {
          let at = self.index(of: highest)
          if at > 0 { turns.maxima.append(at) }
          return (i, false)
        }
        if x - lowest.value >= hysteresis {
          let at = self.index(of: lowest)
          if at > 0 { turns.minima.append(at) }
          return (i, true)
        }
        i &+= 1
      }
    }
    return nil
  }

  /// Returns the index of an extreme: the first in its block with its value.
  private func index(of extreme: Extreme) -> Int {
    guard extreme.position < 0 else { return extreme.position }
    var i = ~extreme.position &* size
    while i < count &- 1, values[i &* 8] != extreme.value { i &+= 1 }
    return i
  }
}
