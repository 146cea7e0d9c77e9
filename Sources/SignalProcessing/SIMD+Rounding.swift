extension SIMD4 where Scalar == Float {
  /// The nearest whole numbers, ties to even. Magnitudes must be below 2²².
  ///
  /// Adding 1.5 · 2²³ moves the rounded number into the low bits. The library's rounding would take four
  /// calls.
  @inlinable @inline(__always)
  package var nearestIntegers: SIMD4<Int32> {
    unsafeBitCast(self + 12_582_912, to: SIMD4<Int32>.self) &- 0x4B40_0000
  }
}
