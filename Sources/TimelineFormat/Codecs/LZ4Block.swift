#if canImport(Compression)
  import Compression
#else
  import CLZ4
#endif

/// The LZ4 block format, without a frame.
enum LZ4Block {
  /// Returns the compressed bytes; nil if they would not be smaller than the input.
  static func compress(_ input: [UInt8]) -> [UInt8]? {
    guard input.count > 16, input.count < 1 << 30 else { return nil }
    let output = input.withUnsafeBufferPointer {
      convert($0, capacity: input.count - 1, isCompressing: true)
    }
    return output.isEmpty ? nil : output
  }

  /// Returns the decompressed bytes; nil if the input is not an LZ4 block of exactly that size.
  static func decompress(_ input: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    guard size > 0, size < 1 << 30, !input.isEmpty, input.count < 1 << 30 else { return nil }
    // A byte of an LZ4 block decodes to at most 255 bytes.
    guard size / 255 <= input.count, hasNoOffsetOfZero(input) else { return nil }
    let output = input.withUnsafeBufferPointer {
      convert($0, capacity: size, isCompressing: false)
    }
    return output.count == size ? output : nil
  }

  /// Calls an LZ4 function; returns no bytes if it fails.
  private static func convert(
    _ input: UnsafeBufferPointer<UInt8>, capacity: Int, isCompressing: Bool
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      guard let from = input.baseAddress, let to = buffer.baseAddress else { return }
      #if canImport(Compression)
        let convert = isCompressing ? compression_encode_buffer : compression_decode_buffer
        count = convert(to, capacity, from, input.count, nil, COMPRESSION_LZ4_RAW)
      #else
        let convert = isCompressing ? LZ4_compress_default : LZ4_decompress_safe
        let written = from.withMemoryRebound(to: CChar.self, capacity: input.count) { from in
          to.withMemoryRebound(to: CChar.self, capacity: capacity) { to in
            convert(from, to, Int32(input.count), Int32(capacity))
          }
        }
        count = max(0, Int(written))
      #endif
    }
  }

  /// Returns true if no match has the invalid offset 0, which libraries decode differently.
  private static func hasNoOffsetOfZero(_ input: ArraySlice<UInt8>) -> Bool {
    var index = input.startIndex
    /// Reads a length of four bits and, if it is 15, of the bytes that follow.
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
