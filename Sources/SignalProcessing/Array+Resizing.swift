extension Array {
  /// Makes it so long, whatever it then holds.
  @inlinable
  package mutating func resize(to count: Int, filler: Element) {
    if self.count > count {
      removeLast(self.count - count)
    } else if self.count < count {
      // Room that is reserved costs a fraction of what `init(repeating:count:)` does for vectors.
      if count > capacity {
        self = []
        reserveCapacity(count)
      }
      append(contentsOf: repeatElement(filler, count: count - self.count))
    }
  }
}
