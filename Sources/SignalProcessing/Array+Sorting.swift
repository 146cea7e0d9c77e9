extension Array {
  /// Returns the elements in ascending order of a key. The sort is stable.
  @inlinable
  package func sorted(byKey key: (Element) -> Double) -> [Element] {
    ascendingOrder(of: map(key)).map { self[$0] }
  }
}

/// Returns the indices of values in ascending order. Not generic, because `sort(by:)` is specialized for each
/// type.
@usableFromInline
func ascendingOrder(of keys: [Double]) -> [Int] {
  keys.indices.sorted { keys[$0] < keys[$1] }
}
