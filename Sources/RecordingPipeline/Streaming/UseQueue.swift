import RecordingInput

/// Keys in order of last use. Older entries of a key stay in the queue and are skipped.
struct UseQueue {
  private var items: [(key: StreamKey, use: Int)] = []
  private var head = 0
  private var sizeAtCompaction = 1024

  /// Entries, least recently used first.
  var waiting: ArraySlice<(key: StreamKey, use: Int)> { items[head...] }

  mutating func append(_ key: StreamKey, use: Int) { items.append((key, use)) }

  mutating func prepend(_ key: StreamKey, use: Int) {
    if head > 0 {
      head -= 1
      items[head] = (key, use)
    } else {
      items.insert((key, use), at: 0)
    }
  }

  mutating func popFirst() -> (key: StreamKey, use: Int)? {
    guard head < items.count else { return nil }
    defer { head += 1 }
    return items[head]
  }

  /// Drops stale entries once there are many.
  mutating func compact(isCurrent: (_ key: StreamKey, _ use: Int) -> Bool) {
    guard items.count > 4 * sizeAtCompaction else { return }
    items = items[head...].filter { isCurrent($0.key, $0.use) }
    head = 0
    sizeAtCompaction = max(1024, items.count)
  }
}
