/// The Castagnoli cyclic redundancy check (polynomial 0x1EDC6F41, reflected, initial and final value all
/// ones), as in iSCSI, ext4 and Btrfs. Tables process 16 bytes a step ("slicing by 16"). Most of a long input
/// is folded into later words, which is faster.
package struct CRC32C {
  private static let sharedTables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 16 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? 0x82F6_3B78 ^ value >> 1 : value >> 1 }
      tables[byte] = value
    }
    for byte in 0..<256 {
      var value = tables[byte]
      for slice in 1..<16 {
        value = tables[Int(value & 0xFF)] ^ value >> 8
        tables[slice * 256 + byte] = value
      }
    }
    return tables
  }()

  private var state = UInt32.max
  /// A local reference: each access to the global would check whether it is initialized.
  private let tables = Self.sharedTables

  package init() {}

  /// The checksum of all bytes that were added.
  package var value: UInt32 { ~state }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    let folded = bytes.count >= 32 * Self.memory ? fold(bytes) : 0
    addByTable(UnsafeRawBufferPointer(rebasing: bytes[folded...]))
  }

  private mutating func addByTable(_ bytes: UnsafeRawBufferPointer) {
    var crc = state
    tables.withUnsafeBufferPointer { table in
      var position = 0
      func word(_ offset: Int) -> UInt64 {
        UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: position + offset, as: UInt64.self))
      }
      while position + 16 <= bytes.count {
        crc =
          Self.step(table, word(0), crc, slice: 8) ^ Self.step(table, word(8), 0, slice: 0)
        position += 16
      }
      while position < bytes.count {
        crc = table[Int((crc ^ UInt32(bytes[position])) & 0xFF)] ^ crc >> 8
        position += 1
      }
    }
    state = crc
  }

  /// Distances, in words, of the later words that a word is folded into. The sum of x^(64·(158 − d)) over these
  /// distances and 0 is a multiple of the polynomial, so folding does not change the remainder.
  private static let distances = (8, 16, 42, 122, 134, 156, 158)
  /// The greatest distance, rounded up.
  private static let memory = 160

  /// Adds most of the bytes by folding, and returns their number.
  private mutating func fold(_ bytes: UnsafeRawBufferPointer) -> Int {
    typealias Words = SIMD4<UInt64>
    let (memory, batch) = (8 * Self.memory, 16384)
    var position = 0
    withUnsafeTemporaryAllocation(byteCount: memory + batch, alignment: 32) { buffer in
      guard let start = buffer.baseAddress else { return }
      start.initializeMemory(as: UInt8.self, repeating: 0, count: memory)
      var initial = Words(UInt64(state), 0, 0, 0)
      /// Returns the words at an offset from `position`, with earlier ones folded into them.
      @inline(__always)
      func words(_ offset: Int) -> Words {
        func before(_ distance: Int) -> Words {
          start.loadUnaligned(fromByteOffset: memory &+ offset &- 8 &* distance, as: Words.self)
        }
        let (a, b, c, d, e, f, g) = Self.distances
        let sum = before(a) ^ before(b) ^ before(c) ^ before(d) ^ before(e) ^ before(f) ^ before(g)
        return bytes.loadUnaligned(fromByteOffset: position &+ offset, as: Words.self) ^ sum
      }
      while case let count = min(batch, bytes.count - position - memory) & ~31, count > 0 {
        for offset in stride(from: 0, to: count, by: 32) {
          start.storeBytes(
            of: words(offset) ^ initial, toByteOffset: memory &+ offset, as: Words.self)
          initial = .zero
        }
        position += count
        start.copyMemory(from: start + count, byteCount: memory)
      }
      // The last words replace earlier ones, which are no longer needed, and are added by table.
      (start + memory).initializeMemory(as: UInt8.self, repeating: 0, count: memory)
      for offset in stride(from: 0, to: memory, by: 32) {
        start.storeBytes(of: words(offset), toByteOffset: offset, as: Words.self)
      }
      state = 0
      addByTable(UnsafeRawBufferPointer(start: start, count: memory))
      position += memory
    }
    return position
  }

  /// Adds eight bytes, the lowest first.
  package mutating func add(_ word: UInt64) {
    state = tables.withUnsafeBufferPointer { Self.step($0, word, state, slice: 0) }
  }

  package mutating func add(_ byte: UInt8) {
    state = tables[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8
  }

  /// Returns the state after a word and `slice` zero bytes.
  @inline(__always)
  private static func step(
    _ table: UnsafeBufferPointer<UInt32>, _ word: UInt64, _ crc: UInt32, slice: Int
  ) -> UInt32 {
    let bytes = word ^ UInt64(crc)
    var result: UInt32 = 0
    for index in 0..<8 {
      result ^= table[(slice + 7 - index) * 256 + Int(bytes >> UInt64(8 * index) & 0xFF)]
    }
    return result
  }

  package static func checksum(_ bytes: [UInt8], in range: Range<Int>? = nil) -> UInt32 {
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    return bytes.withUnsafeBytes { checksum(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var crc = CRC32C()
    crc.add(bytes)
    return crc.value
  }
}
