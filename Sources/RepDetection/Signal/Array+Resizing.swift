extension Array {
  /// Makes it so long, whatever it then holds.
  mutating func resize(to count: Int, filler: Element) {
    if count > capacity {
      self = Array(repeating: filler, count: count)
    } else if self.count > count {
      removeLast(self.count - count)
    } else if self.count < count {
      append(contentsOf: repeatElement(filler, count: count - self.count))
    }
  }
}
