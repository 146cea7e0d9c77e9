import Motion

/// A chunk that the watch sends to its receiver.
struct ChunkDelivery: Sendable {
  /// Rows of the recording.
  var rows: Range<Int>
  var phase: WorkoutPhase
  /// Index of the set, from 0. Rest belongs to the set before it, the lead-in to the first set.
  var set: Int
  /// Index among the recorded chunks, from 0.
  var number: Int
  /// True if the chunk was delivered before.
  var isRepeat = false
}

extension SyntheticRecording {
  /// Returns the chunks as sent by the watch: at most `size` samples each, ending at changes of phase.
  func chunks(of size: Int = 100) -> [ChunkDelivery] {
    var chunks: [ChunkDelivery] = []
    var set = -1
    for span in recording.phases {
      if span.phase == .execution { set += 1 }
      var start = span.rows.lowerBound
      while start < span.rows.upperBound {
        let end = min(start + size, span.rows.upperBound)
        chunks.append(
          ChunkDelivery(
            rows: start..<end, phase: span.phase, set: max(0, set), number: chunks.count))
        start = end
      }
    }
    return chunks
  }

  /// Returns the chunks in order of arrival.
  func deliveries(faults: Set<TransportFault>) -> [ChunkDelivery] {
    var arriving = chunks()
    guard !faults.isEmpty, arriving.count > 1 else { return arriving }
    var random = RandomSource(seed: options.seed, stream: 1001)
    if faults.contains(.lost) {
      let certain = random.integer(0...(arriving.count - 1))
      arriving = arriving.filter { chunk in
        let isLost = random.chance(0.1)
        return chunk.number != certain && !isLost
      }
    }
    if faults.contains(.reordered) {
      var index = 0
      while index + 1 < arriving.count {
        if random.chance(0.3) {
          arriving.swapAt(index, index + 1)
          index += 1
        }
        index += 1
      }
    }
    if faults.contains(.late) {
      for index in stride(from: arriving.count - 1, through: 0, by: -1)
      where random.chance(0.125) {
        let chunk = arriving.remove(at: index)
        arriving.insert(chunk, at: min(arriving.count, index + random.integer(2...6)))
      }
    }
    if faults.contains(.duplicated), !arriving.isEmpty {
      let certain = random.integer(0...(arriving.count - 1))
      for index in stride(from: arriving.count - 1, through: 0, by: -1)
      where index == certain || random.chance(0.16) {
        var chunk = arriving[index]
        chunk.isRepeat = true
        arriving.insert(chunk, at: min(arriving.count, index + random.integer(1...5)))
      }
    }
    return arriving
  }
}
