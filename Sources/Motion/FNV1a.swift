/// The hash FNV-1a with 64 bits (Fowler, Noll and Vo; RFC 9923). A single changed byte always changes it.
package struct FNV1a: Equatable {
  @usableFromInline package var value: UInt64

  /// - Parameter value: the hash of the bytes before.
  @inlinable
  package init(
    _ bytes: some Sequence<UInt8> = EmptyCollection(), after value: UInt64 = 0xCBF2_9CE4_8422_2325
  ) {
    self.value = value
    append(bytes)
  }

  @inlinable
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }
}
