/// Decompression without zlib (RFC 1951, RFC 1952). Replaces `Inflater+Zlib.swift`.
extension Inflater {
  /// Decompresses one member and returns its compressed size. `earlier` is the size of the members before it.
  static func member(
    _ bytes: UnsafeRawBufferPointer, _ container: Container, behind earlier: Int,
    into result: inout [UInt8], limit: Int, stopsAtLimit: Bool, cutOff: inout Failure?
  ) throws(Failure) -> Int {
    var stream = DeflateStream(bytes, from: result.count)
    let outcome = stream.read(into: &result, hasHeader: container == .gzip) { count, consumed in
      count > (stopsAtLimit ? limit : Self.limit(ofCompressed: earlier + consumed, limit))
    }
    switch outcome {
    case .complete: break
    case .tooLarge:
      guard stopsAtLimit else {
        let limit = Self.limit(ofCompressed: earlier + stream.position, limit)
        throw Failure(
          reason: .tooLarge,
          description: "decompresses to more than \(limit) bytes; if that is right, unpack it first"
        )
      }
      result.removeLast(result.count - limit)
    case .truncated:
      if !stopsAtLimit {
        cutOff = Failure(
          reason: .truncated,
          description: "the compressed data ends early, after \(result.count) bytes of content")
      }
      return bytes.count
    case .damaged:
      if stopsAtLimit { return bytes.count }
      throw Failure(
        reason: .damaged, description: "the compressed data is damaged at byte \(stream.position)")
    }
    return stream.position
  }

  /// Returns the checksum that zip archives store for each file.
  static func crc32(_ bytes: [UInt8]) -> UInt32 { crc32(bytes[...]) }

  fileprivate static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1
    }
  }
}

private enum DeflateOutcome: Error { case complete, tooLarge, truncated, damaged }

/// A deflated stream, read bit by bit.
private struct DeflateStream {
  let bytes: UnsafeRawBufferPointer
  /// Bytes of output before this member.
  let origin: Int
  private(set) var position = 0
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  init(_ bytes: UnsafeRawBufferPointer, from origin: Int) {
    (self.bytes, self.origin) = (bytes, origin)
  }

  mutating func read(
    into result: inout [UInt8], hasHeader: Bool, exceeds: (_ count: Int, _ consumed: Int) -> Bool
  ) -> DeflateOutcome {
    do throws(DeflateOutcome) {
      if hasHeader { try skipHeader() }
      var isLast = false
      while !isLast {
        isLast = try take(1) == 1
        switch try take(2) {
        case 0: try copyStored(into: &result)
        case 1: try decode(Self.fixedLengths, Self.fixedDistances, into: &result, exceeds)
        case 2:
          let (lengths, distances) = try dynamicCodes()
          try decode(lengths, distances, into: &result, exceeds)
        default: throw .damaged
        }
        if exceeds(result.count, position) { throw .tooLarge }
      }
      position -= Int(bitCount / 8)
      (bits, bitCount) = (0, 0)
      if hasHeader {
        let (checksum, size) = (try word(), try word())
        let own = result[origin...]
        guard checksum == Inflater.crc32(own), size == UInt32(truncatingIfNeeded: own.count) else {
          throw .damaged
        }
      }
      return .complete
    } catch {
      return error
    }
  }

  // MARK: - Blocks

  private mutating func copyStored(into result: inout [UInt8]) throws(DeflateOutcome) {
    position -= Int(bitCount / 8)
    (bits, bitCount) = (0, 0)
    let (count, complement) = (try half(), try half())
    guard count == ~complement else { throw .damaged }
    let available = min(Int(count), bytes.count - position)
    result.append(contentsOf: bytes[position..<(position + available)])
    position += available
    if available < count { throw .truncated }
  }

  private mutating func decode(
    _ lengths: HuffmanCode, _ distances: HuffmanCode, into result: inout [UInt8],
    _ exceeds: (Int, Int) -> Bool
  ) throws(DeflateOutcome) {
    var nextCheck = result.count + 1 << 16
    while true {
      let symbol = try take(lengths)
      if symbol < 256 {
        result.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol < 286 else { throw .damaged }
      let length =
        Int(Self.lengthBases[symbol - 257])
        + Int(try take(UInt32(Self.lengthBits[symbol - 257])))
      let code = try take(distances)
      guard code < 30 else { throw .damaged }
      let distance = Int(Self.distanceBases[code]) + Int(try take(UInt32(max(0, code / 2 - 1))))
      guard distance <= result.count - origin else { throw .damaged }
      for _ in 0..<length { result.append(result[result.count - distance]) }
      if result.count > nextCheck {
        if exceeds(result.count, position) { throw .tooLarge }
        nextCheck = result.count + 1 << 16
      }
    }
  }

  private mutating func dynamicCodes() throws(DeflateOutcome) -> (HuffmanCode, HuffmanCode) {
    let lengthCount = Int(try take(5)) + 257
    let distanceCount = Int(try take(5)) + 1
    let codeCount = Int(try take(4)) + 4
    guard lengthCount <= 286, distanceCount <= 30 else { throw .damaged }
    var own = [UInt8](repeating: 0, count: 19)
    for index in 0..<codeCount { own[Self.codeOrder[index]] = UInt8(try take(3)) }
    let code = try HuffmanCode(own[...])
    var lengths: [UInt8] = []
    while lengths.count < lengthCount + distanceCount {
      let symbol = try take(code)
      var (value, times) = (UInt8(0), 1)
      switch symbol {
      case 0..<16: value = UInt8(symbol)
      case 16:
        guard let last = lengths.last else { throw .damaged }
        (value, times) = (last, 3 + Int(try take(2)))
      case 17: times = 3 + Int(try take(3))
      default: times = 11 + Int(try take(7))
      }
      lengths.append(contentsOf: repeatElement(value, count: times))
    }
    guard lengths.count == lengthCount + distanceCount, lengths[256] > 0 else { throw .damaged }
    return (try HuffmanCode(lengths[..<lengthCount]), try HuffmanCode(lengths[lengthCount...]))
  }

  // MARK: - Bits

  private mutating func take(_ count: UInt32) throws(DeflateOutcome) -> UInt32 {
    while bitCount < count {
      guard position < bytes.count else { throw .truncated }
      bits |= UInt32(bytes[position]) << bitCount
      bitCount += 8
      position += 1
    }
    let value = bits & (1 << count - 1)
    bits >>= count
    bitCount -= count
    return value
  }

  private mutating func take(_ code: HuffmanCode) throws(DeflateOutcome) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      value |= Int(try take(1))
      let count = Int(code.counts[length])
      if value - first < count { return Int(code.symbols[index + value - first]) }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw .damaged
  }

  private mutating func half() throws(DeflateOutcome) -> UInt16 {
    UInt16(try take(8)) | UInt16(try take(8)) << 8
  }

  private mutating func word() throws(DeflateOutcome) -> UInt32 {
    UInt32(try half()) | UInt32(try half()) << 16
  }

  private mutating func skipHeader() throws(DeflateOutcome) {
    for _ in 0..<3 { _ = try take(8) }
    let flags = try take(8)
    for _ in 0..<6 { _ = try take(8) }
    if flags & 0xE0 != 0 { throw .damaged }
    if flags & 4 != 0 {
      for _ in 0..<(try half()) { _ = try take(8) }
    }
    for flag in [8, 16] as [UInt32] where flags & flag != 0 {
      while try take(8) != 0 {}
    }
    if flags & 2 != 0 { _ = try half() }
  }

  private static let codeOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let lengthBases: [UInt16] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits: [UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases: [UInt16] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let fixedLengths = HuffmanCode(
    known: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = HuffmanCode(known: (0..<30).map { _ in 5 })
}

/// A canonical Huffman code: the number of codes of each length, and their symbols in order.
private struct HuffmanCode {
  var counts = [UInt16](repeating: 0, count: 16)
  var symbols: [UInt16] = []

  init(known lengths: [UInt8]) {
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    for length in 1...15 where counts[length] > 0 {
      for (symbol, own) in lengths.enumerated() where own == length {
        symbols.append(UInt16(symbol))
      }
    }
  }

  /// Throws if the lengths do not form a code: too many, or too few unless there is one symbol.
  init(_ lengths: ArraySlice<UInt8>) throws(DeflateOutcome) {
    self.init(known: Array(lengths))
    var left = 1
    for length in 1...15 {
      left = left << 1 - Int(counts[length])
      if left < 0 { throw .damaged }
    }
    if left > 0, symbols.count > 1 { throw .damaged }
  }
}
