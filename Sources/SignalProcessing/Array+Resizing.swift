extension Array {
  /// Resizes the array to `count` elements. The contents afterwards are unspecified.
  @inlinable
  package mutating func resize(to count: Int, filler: Element) {
    if self.count > count {
      removeLast(self.count - count)
    } else if count > capacity {
      // Much cheaper than `init(repeating:count:)` for SIMD vectors.
      self = Array(unsafeUninitializedCapacity: count) { buffer, initialized in
        buffer.initialize(repeating: filler)
        initialized = count
      }
    } else if self.count < count {
      append(contentsOf: repeatElement(filler, count: count - self.count))
    }
  }
}
