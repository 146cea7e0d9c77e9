/// Returns the median; 0 if the list is empty.
package func median(_ values: [Double]) -> Double { median(values) { $0 } }
package func median(_ values: [Float]) -> Float { median(values) { $0 } }

/// Returns the median; nil if the list is empty.
package func median(of values: [Double]) -> Double? { values.isEmpty ? nil : median(values) }

/// Returns the median of `value` over the elements; 0 if there are none.
@inlinable @inline(__always)
package func median<Elements: RandomAccessCollection>(
  _ elements: Elements, _ value: (Elements.Element) -> Double
) -> Double {
  withUnsafeTemporaryAllocation(of: Double.self, capacity: elements.count) { values in
    for (i, element) in elements.enumerated() { values[i] = value(element) }
    return middle(of: values)
  }
}

@inlinable @inline(__always)
package func median<Elements: RandomAccessCollection>(
  _ elements: Elements, _ value: (Elements.Element) -> Float
) -> Float {
  withUnsafeTemporaryAllocation(of: Float.self, capacity: elements.count) { values in
    for (i, element) in elements.enumerated() { values[i] = value(element) }
    return middle(of: values)
  }
}

// Neither generic nor inlined, to limit code size: it has dozens of callers.
@usableFromInline
func middle(of values: UnsafeMutableBufferPointer<Double>) -> Double { sortedMiddle(values) }
@usableFromInline
func middle(of values: UnsafeMutableBufferPointer<Float>) -> Float { sortedMiddle(values) }

private func sortedMiddle<T: BinaryFloatingPoint>(_ values: UnsafeMutableBufferPointer<T>) -> T {
  let count = values.count
  guard count > 0 else { return 0 }
  if count <= 24 {
    // Insertion sort is fastest for few values.
    for end in 1..<max(count, 1) {
      let x = values[end]
      var i = end
      while i > 0, values[i &- 1] > x {
        values[i] = values[i &- 1]
        i &-= 1
      }
      values[i] = x
    }
  } else {
    var all = values
    all.sort()
  }
  let middle = count / 2
  return count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
}
