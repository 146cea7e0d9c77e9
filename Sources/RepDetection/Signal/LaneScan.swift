/// One lane of a signal, scanned for turns.
struct LaneScan {
  /// The first value of the lane; the next is eight floats on.
  let values: UnsafePointer<Float>
  /// The extremes of its blocks (``BlockExtremes``), as far apart: those of the block that begins with
  /// value i are `low[i]` and `high[i]`, as a block has eight values.
  let low: UnsafePointer<Float>
  let high: UnsafePointer<Float>
  let count: Int
  let hysteresis: Float

  /// Values per block.
  private var size: Int { BlockExtremes.size }

  /// An extreme, and where it is: an index, or ~b while all that matters is that it is in block b.
  private struct Extreme {
    var value: Float
    var position: Int
  }

  func run(_ turns: inout TurningPoints) {
    guard var (i, isRising) = start(&turns) else { return }
    var extreme = Extreme(value: values[i &* 8], position: i)
    i &+= 1
    while i < count {
      if i % size == 0 {
        let block = i / size
        if isRising {
          if max(extreme.value, high[i]) - low[i] < hysteresis {
            if high[i] > extreme.value { extreme = Extreme(value: high[i], position: ~block) }
            i &+= size
            continue
          }
        } else if high[i] - min(extreme.value, low[i]) < hysteresis {
          if low[i] < extreme.value { extreme = Extreme(value: low[i], position: ~block) }
          i &+= size
          continue
        }
      }
      let end = min((i / size &+ 1) &* size, count)
      while i < end {
        let x = values[i &* 8]
        if isRising {
          if x > extreme.value {
            extreme = Extreme(value: x, position: i)
          } else if extreme.value - x >= hysteresis {
            turns.maxima.append(index(of: extreme))
            extreme = Extreme(value: x, position: i)
            isRising = false
          }
        } else if x < extreme.value {
          extreme = Extreme(value: x, position: i)
        } else if x - extreme.value >= hysteresis {
          turns.minima.append(index(of: extreme))
          extreme = Extreme(value: x, position: i)
          isRising = true
        }
        i &+= 1
      }
    }
  }

  /// Where the signal has first risen or fallen by the threshold, and which of the two; nil where it
  /// never does. Until then both extremes are of interest.
  private func start(_ turns: inout TurningPoints) -> (index: Int, isRising: Bool)? {
    var highest = Extreme(value: values[0], position: 0)
    var lowest = highest
    var i = 0
    while i < count {
      if i % size == 0,
        max(highest.value, high[i]) - min(lowest.value, low[i]) < hysteresis
      {
        let block = i / size
        if high[i] > highest.value { highest = Extreme(value: high[i], position: ~block) }
        if low[i] < lowest.value { lowest = Extreme(value: low[i], position: ~block) }
        i &+= size
        continue
      }
      let end = min((i / size &+ 1) &* size, count)
      while i < end {
        let x = values[i &* 8]
        if x > highest.value { highest = Extreme(value: x, position: i) }
        if x < lowest.value { lowest = Extreme(value: x, position: i) }
        if highest.value - x >= hysteresis {
          let at = index(of: highest)
          if at > 0 { turns.maxima.append(at) }
          return (i, false)
        }
        if x - lowest.value >= hysteresis {
          let at = index(of: lowest)
          if at > 0 { turns.minima.append(at) }
          return (i, true)
        }
        i &+= 1
      }
    }
    return nil
  }

  /// Where an extreme is: the first of its block that has its value.
  private func index(of extreme: Extreme) -> Int {
    guard extreme.position < 0 else { return extreme.position }
    var i = ~extreme.position &* size
    while i < count &- 1, values[i &* 8] != extreme.value { i &+= 1 }
    return i
  }
}
