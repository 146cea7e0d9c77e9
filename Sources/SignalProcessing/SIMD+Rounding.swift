extension SIMD4 where Scalar == Float {
  /// The nearest whole numbers, ties to even; of values below 2²² in magnitude.
  ///
  /// Adding 1.5 · 2²³ rounds to a whole number, which is then in the low bits. The library's rounding
  /// is four calls.
  @inlinable @inline(__always)
  package var nearestIntegers: SIMD4<Int32> {
    unsafeBitCast(self + 12_582_912, to: SIMD4<Int32>.self) &- 0x4B40_0000
  }
}
