/// The 64-bit hash FNV-1a (Fowler, Noll and Vo; RFC 9923). A single changed byte always changes it.
package struct FNV1a: Equatable {
  package private(set) var value: UInt64

  /// - Parameter value: The hash of the preceding bytes.
  package init(
    _ bytes: some Sequence<UInt8> = EmptyCollection(), after value: UInt64 = 0xCBF2_9CE4_8422_2325
  ) {
    self.value = value
    append(bytes)
  }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    // Other modules call this without specializing it, so a loop over arrays and slices must not be generic.
    guard bytes.withContiguousStorageIfAvailable({ append($0) }) == nil else { return }
    for byte in bytes { append(byte) }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { append(byte) }
  }

  private mutating func append(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}
