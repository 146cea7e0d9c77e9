/// The middle of a list; 0 if it is empty.
@inlinable
package func median<T: BinaryFloatingPoint>(_ values: [T]) -> T {
  median(values) { $0 }
}

/// The middle of a list; nil if it is empty.
@inlinable
package func median<T: BinaryFloatingPoint>(of values: [T]) -> T? {
  values.isEmpty ? nil : median(values)
}

/// The middle of what `value` gives for the elements of a list; 0 if it is empty.
@inlinable @inline(__always)
package func median<Elements: RandomAccessCollection, T: BinaryFloatingPoint>(
  _ elements: Elements, _ value: (Elements.Element) -> T
) -> T {
  let count = elements.count
  guard count > 0 else { return 0 }
  return withUnsafeTemporaryAllocation(of: T.self, capacity: count) { sorted in
    if count <= 24 {
      // A few are put in their places one by one.
      var end = 0
      for element in elements {
        let x = value(element)
        var i = end
        while i > 0, sorted[i &- 1] > x {
          sorted[i] = sorted[i &- 1]
          i &-= 1
        }
        sorted[i] = x
        end &+= 1
      }
    } else {
      var all = sorted
      _ = all.initialize(from: elements.lazy.map(value))
      all.sort()
    }
    let middle = count / 2
    return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
