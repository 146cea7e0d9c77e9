/// The hash function SHA-256 of FIPS 180-4, in pure Swift, for naming recordings by their content.
public struct SHA256: Sendable {
  private var state: SIMD8<UInt32>
  private var pending: [UInt8] = []
  private var length: UInt64 = 0
  private let compression: Compression

  /// Mixes whole blocks of 64 bytes into the state (FIPS 180-4, 6.2.2).
  public typealias Compression =
    @Sendable (_ state: inout SIMD8<UInt32>, _ blocks: UnsafeRawBufferPointer) -> Void

  /// - Parameter compression: another way to the same state, such as a processor's own.
  public init(compression: @escaping Compression = SHA256.portableCompression) {
    self.compression = compression
    state = SIMD8(
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
      0x5BE0_CD19)
    pending.reserveCapacity(64)
  }

  /// Adds bytes to the message. The result does not depend on how a message is cut.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      update(UnsafeRawBufferPointer($0))
    }
    if done == nil {
      let copy = Array(bytes)
      copy.withUnsafeBytes { update($0) }
    }
  }

  /// Adds bytes to the message.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var position = 0
    if !pending.isEmpty {
      position = min(64 - pending.count, bytes.count)
      pending.append(contentsOf: bytes[0..<position])
      guard pending.count == 64 else { return }
      pending.withUnsafeBytes { compression(&state, $0) }
      pending.removeAll(keepingCapacity: true)
    }
    let end = bytes.count - (bytes.count - position) % 64
    if end > position {
      compression(&state, UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
      position = end
    }
    pending.append(contentsOf: bytes[position...])
  }

  /// The hash of the message so far, 32 bytes.
  public func digest() -> [UInt8] {
    var copy = self
    let bits = length &* 8
    let padding = (119 - Int(length % 64)) % 64
    copy.update([0x80] + [UInt8](repeating: 0, count: padding))
    copy.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) })
    return (0..<32).map {
      UInt8(truncatingIfNeeded: copy.state[$0 / 4] >> UInt32(24 - 8 * ($0 % 4)))
    }
  }

  /// The hash of bytes.
  public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }

  /// Bytes as lower-case hexadecimal digits.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// ``Compression`` in pure Swift.
  public static let portableCompression: Compression = { state, blocks in
    for start in stride(from: 0, to: blocks.count, by: 64) {
      compress(&state, UnsafeRawBufferPointer(rebasing: blocks[start..<start + 64]))
    }
  }

  /// FIPS 180-4, 6.2.2, for one block of 64 bytes.
  ///
  /// The schedule is a ring of sixteen words, and eight rounds are written out with the variables in
  /// turned roles, so that nothing is moved but what changes.
  private static func compress(_ state: inout SIMD8<UInt32>, _ block: UnsafeRawBufferPointer) {
    @inline(__always)
    func rotated(_ value: UInt32, _ bits: UInt32) -> UInt32 {
      value &>> bits | value &<< (32 &- bits)
    }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { schedule in
      constants.withUnsafeBufferPointer { constants in
        for index in 0..<16 {
          schedule[index] = UInt32(
            bigEndian: block.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        @inline(__always)
        func round(
          _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
          _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ base: Int, _ step: Int
        ) {
          let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
          let choice = g ^ (e & (f ^ g))
          let first = h &+ sum1 &+ choice &+ constants[base &+ step] &+ schedule[step]
          let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
          let majority = (a & b) | (c & (a | b))
          d = d &+ first
          h = first &+ sum0 &+ majority
        }
        var base = 0
        while base < 64 {
          if base > 0 {
            for word in 0..<16 {
              let early = schedule[(word &+ 1) & 15]
              let late = schedule[(word &+ 14) & 15]
              let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ early &>> 3
              let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ late &>> 10
              schedule[word] = schedule[word] &+ sigma0 &+ schedule[(word &+ 9) & 15] &+ sigma1
            }
          }
          for step in stride(from: 0, to: 16, by: 8) {
            round(a, b, c, &d, e, f, g, &h, base, step)
            round(h, a, b, &c, d, e, f, &g, base, step &+ 1)
            round(g, h, a, &b, c, d, e, &f, base, step &+ 2)
            round(f, g, h, &a, b, c, d, &e, base, step &+ 3)
            round(e, f, g, &h, a, b, c, &d, base, step &+ 4)
            round(d, e, f, &g, h, a, b, &c, base, step &+ 5)
            round(c, d, e, &f, g, h, a, &b, base, step &+ 6)
            round(b, c, d, &e, f, g, h, &a, base, step &+ 7)
          }
          base &+= 16
        }
        state = state &+ SIMD8(a, b, c, d, e, f, g, h)
      }
    }
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
    0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
