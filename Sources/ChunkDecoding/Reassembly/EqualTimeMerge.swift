import Motion

/// Orders samples of sorted chunks by time, drops exact duplicates, and resolves equal times across chunks.
struct EqualTimeMerge {
  let origins: [Int32]
  /// Indices of the rows kept, in order of time.
  private(set) var rows: [Int] = []
  private(set) var isReordered = false
  private(set) var duplicates = 0
  private(set) var conflicts = 0
  /// Number of samples kept, by chunk.
  private(set) var keptByChunk: [Int]

  /// True if equal rows of a chunk are separate samples, because its times are whole seconds.
  private let keepsRepetitions: Bool
  private let times: [Double]
  private let columns: [[Double]]
  private let spans: [(first: Double, last: Double)]

  /// - Parameters:
  ///   - batch: The concatenated samples of the chunks.
  ///   - origins: The chunk of each row.
  init(_ batch: MotionBatch, origins: [Int32], chunkCount: Int, keepsRepetitions: Bool) {
    self.origins = origins
    self.keepsRepetitions = keepsRepetitions
    times = batch.times
    columns = batch.channels.filter { $0 != .time }.map { batch[$0] }
    var spans = Array(
      repeating: (first: Double.infinity, last: -Double.infinity), count: chunkCount)
    for (row, time) in times.enumerated() {
      let chunk = Int(origins[row])
      spans[chunk].first = min(spans[chunk].first, time)
      spans[chunk].last = max(spans[chunk].last, time)
    }
    self.spans = spans
    keptByChunk = Array(repeating: 0, count: chunkCount)
  }

  mutating func run() {
    var order = Array(times.indices)
    isReordered = times.indices.dropFirst().contains { times[$0] < times[$0 - 1] }
    if isReordered {
      order.sort { (times[$0], $0) < (times[$1], $1) }
    }
    rows.reserveCapacity(order.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, times[order[end]] == times[order[start]] { end += 1 }
      if end == start + 1 { keep(order[start]) } else { resolve(order[start..<end]) }
      start = end
    }
  }

  private mutating func keep(_ row: Int) {
    rows.append(row)
    keptByChunk[Int(origins[row])] += 1
  }

  /// Resolves rows with equal times, given in order of chunks and of rows in them.
  private mutating func resolve(_ group: ArraySlice<Int>) {
    // Distinct samples in order of first appearance, and each chunk's sequence of them. The number of equal
    // samples kept is the maximum in any one chunk, or one unless `keepsRepetitions`.
    var distinct: [Int] = []
    var byHash: [Int: [Int]] = [:]
    var sequences: [(chunk: Int, nodes: [Int])] = []
    // For the first of equal samples: the last chunk that had one, and its node.
    var latest: [(chunk: Int, node: Int)] = []
    // For the first of equal samples: the last one of a chunk that ends at this time.
    var ending: [Int?] = []
    // For each of equal samples: the next one.
    var following: [Int?] = []
    let time = times[group[group.startIndex]]
    for row in group {
      let key = hash(row)
      let chunk = Int(origins[row])
      let span = spans[chunk]
      let first = byHash[key, default: []].first { equal(distinct[$0], row) }
      // The preceding equal sample.
      var previous: Int?
      if let first {
        if latest[first].chunk == chunk {
          // A repetition within a chunk is dropped; the first one stays.
          guard keepsRepetitions else {
            duplicates += 1
            continue
          }
          previous = latest[first].node
        } else if keepsRepetitions, span.first == time, time < span.last, following[first] != nil {
          // A chunk that begins in this second continues another one that ended in it. (If no chunk repeats
          // the sample, the chunks overlap in it.)
          previous = ending[first]
        }
      }
      var known = first
      if let previous { known = following[previous] }
      let node = known ?? distinct.count
      if known == nil {
        distinct.append(row)
        latest.append((chunk, node))
        ending.append(nil)
        following.append(nil)
        if let previous {
          following[previous] = node
        } else {
          byHash[key, default: []].append(node)
        }
      } else {
        duplicates += 1
      }
      latest[first ?? node] = (chunk, node)
      if span.first < time, span.last == time {
        ending[first ?? node] = max(ending[first ?? node] ?? node, node)
      }
      if sequences.last?.chunk == chunk {
        sequences[sequences.count - 1].nodes.append(node)
      } else {
        sequences.append((chunk, [node]))
      }
    }
    guard sequences.count > 1, distinct.count > 1 else {
      for row in distinct { keep(row) }
      return
    }
    conflicts += contradictions(sequences, distinct.count, at: times[distinct[0]])
    for node in Self.merged(sequences.map({ $0.nodes }), count: distinct.count) {
      keep(distinct[node])
    }
  }

  /// Counts samples that contradict a chunk covering more than their time on both sides, which should contain
  /// all samples of that time. They are kept, since either may be right.
  private func contradictions(
    _ sequences: [(chunk: Int, nodes: [Int])], _ count: Int, at time: Double
  ) -> Int {
    let complete = sequences.filter {
      spans[$0.chunk].first < time && time < spans[$0.chunk].last
    }
    guard let most = complete.map({ Set($0.nodes).count }).max() else { return 0 }
    return count - most
  }

  /// Merges sequences of nodes so that the order within each is kept where they agree; otherwise nodes with
  /// smaller numbers come first.
  static func merged(_ sequences: [[Int]], count: Int) -> [Int] {
    var successors = Array(repeating: Set<Int>(), count: count)
    var predecessors = Array(repeating: 0, count: count)
    for nodes in sequences {
      for (node, next) in zip(nodes, nodes.dropFirst()) where node != next {
        if successors[node].insert(next).inserted { predecessors[next] += 1 }
      }
    }
    var result: [Int] = []
    result.reserveCapacity(count)
    var isDone = Array(repeating: false, count: count)
    var free = SmallestFirst((0..<count).filter { predecessors[$0] == 0 })
    var firstLeft = 0
    var current: Int?
    while result.count < count {
      // Continue along a sequence if possible; else take the first free node, or in a cycle the first one.
      var next: Int?
      if let current {
        next = successors[current].filter { !isDone[$0] && predecessors[$0] == 0 }.min()
      }
      while next == nil, let candidate = free.removeFirst() {
        if !isDone[candidate] { next = candidate }
      }
      while next == nil, firstLeft < count {
        if !isDone[firstLeft] { next = firstLeft }
        firstLeft += 1
      }
      guard let node = next else { break }
      isDone[node] = true
      result.append(node)
      for successor in successors[node] {
        predecessors[successor] -= 1
        if predecessors[successor] == 0, !isDone[successor] { free.insert(successor) }
      }
      current = node
    }
    return result
  }

  /// Returns a hash seeded randomly per process, so that nobody can construct colliding samples.
  private func hash(_ row: Int) -> Int {
    var hasher = Hasher()
    for column in columns {
      let value = column[row]
      hasher.combine(value.isNaN ? 0x7FF8 << 48 : value.bitPattern)
    }
    return hasher.finalize()
  }

  private func equal(_ a: Int, _ b: Int) -> Bool {
    columns.allSatisfy {
      $0[a].bitPattern == $0[b].bitPattern || ($0[a].isNaN && $0[b].isNaN)
    }
  }
}

/// A min-heap of integers.
private struct SmallestFirst {
  private var heap: [Int]

  /// - Parameter ascending: Numbers in ascending order, which already form a heap.
  init(_ ascending: [Int]) { heap = ascending }

  mutating func insert(_ number: Int) {
    heap.append(number)
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2] > heap[child] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() -> Int? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child] < heap[smallest] {
        smallest = child
      }
      guard smallest != parent else { return first }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
