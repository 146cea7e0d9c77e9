#if canImport(Compression)
  import Compression
#else
  import CLZ4
#endif

/// The LZ4 block format, without a frame: sizes are known from elsewhere.
enum LZ4Block {
  /// The compressed bytes, or nil where they would not be smaller than the input.
  static func compress(_ input: [UInt8]) -> [UInt8]? {
    guard input.count > 16, input.count < 1 << 30 else { return nil }
    let capacity = input.count - 1
    let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = input.withUnsafeBufferPointer { source -> Int in
        guard let from = source.baseAddress, let to = buffer.baseAddress else { return 0 }
        #if canImport(Compression)
          return compression_encode_buffer(
            to, capacity, from, source.count, nil, COMPRESSION_LZ4_RAW)
        #else
          let written = from.withMemoryRebound(to: CChar.self, capacity: source.count) { from in
            to.withMemoryRebound(to: CChar.self, capacity: capacity) { to in
              LZ4_compress_default(from, to, Int32(source.count), Int32(capacity))
            }
          }
          return max(0, Int(written))
        #endif
      }
    }
    return output.isEmpty ? nil : output
  }

  /// The decompressed bytes, or nil where the input is not an LZ4 block of exactly that size.
  static func decompress(_ input: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    guard size > 0, size < 1 << 30, !input.isEmpty, input.count < 1 << 30 else { return nil }
    // A byte of an LZ4 block makes at most 255 bytes of output.
    guard size / 255 <= input.count, hasNoOffsetOfZero(input) else { return nil }
    let output = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = input.withUnsafeBufferPointer { source -> Int in
        guard let from = source.baseAddress, let to = buffer.baseAddress else { return 0 }
        #if canImport(Compression)
          return compression_decode_buffer(
            to, size, from, source.count, nil, COMPRESSION_LZ4_RAW)
        #else
          let written = from.withMemoryRebound(to: CChar.self, capacity: source.count) { from in
            to.withMemoryRebound(to: CChar.self, capacity: size) { to in
              LZ4_decompress_safe(from, to, Int32(source.count), Int32(size))
            }
          }
          return max(0, Int(written))
        #endif
      }
    }
    return output.count == size ? output : nil
  }

  /// Whether all matches refer to bytes before them. What one of offset 0 gives, which is not valid, depends
  /// on the library.
  private static func hasNoOffsetOfZero(_ input: ArraySlice<UInt8>) -> Bool {
    var index = input.startIndex
    /// A length of four bits, and of the bytes that follow it where these are not enough.
    func length(_ bits: UInt8) -> Int? {
      var length = Int(bits)
      guard bits == 15 else { return length }
      while index < input.endIndex {
        let byte = input[index]
        index += 1
        length += Int(byte)
        if byte != 255 { return length }
      }
      return nil
    }
    while index < input.endIndex {
      let token = input[index]
      index += 1
      guard let literals = length(token >> 4), literals <= input.endIndex - index else {
        return false
      }
      index += literals
      // The last sequence has no match.
      if index == input.endIndex { return true }
      guard input.endIndex - index >= 2, input[index] | input[index + 1] != 0 else { return false }
      index += 2
      guard length(token & 15) != nil else { return false }
    }
    return false
  }
}
