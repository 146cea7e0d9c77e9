extension SIMD4 where Scalar == Double {
  /// The vector product of the first three lanes.
  @inlinable @inline(__always)
  package func crossed(with b: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x, 0)
  }

  /// The vector of length 1 in this direction; zero if it has none.
  @inlinable @inline(__always)
  package var normalized: SIMD4<Double> {
    let length = (self * self).sum().squareRoot()
    return length > 1e-9 ? self / length : SIMD4()
  }
}
