extension RandomAccessCollection {
  /// Returns the first index whose element satisfies the condition. The collection must be partitioned by it:
  /// elements that do not satisfy it come first. O(log n).
  package func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Index {
    var (low, length) = (startIndex, count)
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if isInSecondPart(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
