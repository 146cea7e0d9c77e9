// Selects this vector's lanes where the mask is true, else the other's, with bit operations.
// `replacing(with:where:)` branches for each lane.

extension SIMD4 where Scalar == Float {
  @inlinable @inline(__always)
  package func selected(by mask: SIMDMask<SIMD4<Int32>>, else other: SIMD4<Float>) -> SIMD4<Float> {
    let m = unsafeBitCast(mask, to: SIMD4<UInt32>.self)
    return SIMD4(bits: bits & m | other.bits & ~m)
  }

  /// The absolute values of the lanes.
  @inlinable @inline(__always)
  package var magnitudes: SIMD4<Float> { SIMD4(bits: bits & 0x7FFF_FFFF) }

  /// The bit patterns of the lanes.
  @inlinable @inline(__always)
  package var bits: SIMD4<UInt32> { unsafeBitCast(self, to: SIMD4<UInt32>.self) }

  @inlinable @inline(__always)
  package init(bits: SIMD4<UInt32>) {
    self = unsafeBitCast(bits, to: SIMD4<Float>.self)
  }
}

// Lane-wise minimum and maximum of finite values. Each compiles to one instruction as written here.

extension SIMD4 where Scalar == Float {
  @inlinable @inline(__always)
  package func lesser(_ other: SIMD4<Float>) -> SIMD4<Float> {
    replacing(with: other, where: other .< self)
  }

  @inlinable @inline(__always)
  package func greater(_ other: SIMD4<Float>) -> SIMD4<Float> {
    replacing(with: other, where: other .> self)
  }
}

extension SIMD8 where Scalar == Float {
  @inlinable @inline(__always)
  package func lesser(_ other: SIMD8<Float>) -> SIMD8<Float> {
    replacing(with: other, where: other .< self)
  }

  @inlinable @inline(__always)
  package func greater(_ other: SIMD8<Float>) -> SIMD8<Float> {
    replacing(with: other, where: other .> self)
  }
}
