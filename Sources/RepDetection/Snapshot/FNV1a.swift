/// The hash FNV-1a with 64 bits (Fowler, Noll and Vo; RFC 9923). A single changed byte always changes it.
struct FNV1a: Equatable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func append(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { append(byte) }
  }
}
