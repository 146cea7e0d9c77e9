extension Array {
  /// Makes it so long, whatever it then holds.
  @inlinable
  package mutating func resize(to count: Int, filler: Element) {
    if self.count > count {
      removeLast(self.count - count)
    } else if count > capacity {
      // A fraction of what `init(repeating:count:)` costs for vectors.
      self = Array(unsafeUninitializedCapacity: count) { buffer, initialized in
        buffer.initialize(repeating: filler)
        initialized = count
      }
    } else if self.count < count {
      append(contentsOf: repeatElement(filler, count: count - self.count))
    }
  }
}
