extension SIMD4 where Scalar == Double {
  /// Returns the cross product of the first three lanes.
  @inlinable @inline(__always)
  package func crossed(with b: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x, 0)
  }

  /// The vector scaled to length 1; zero if its length is zero.
  @inlinable @inline(__always)
  package var normalized: SIMD4<Double> {
    let length = (self * self).sum().squareRoot()
    return length > 1e-9 ? self / length : SIMD4()
  }
}
