import CZlib

extension Inflater {
  /// Decompresses one member that follows `earlier` bytes of other members. Returns its compressed size.
  static func member(
    _ bytes: UnsafeRawBufferPointer, _ container: Container, behind earlier: Int,
    into result: inout [UInt8], limit: Int, stopsAtLimit: Bool, cutOff: inout Failure?
  ) throws(Failure) -> Int {
    var stream = z_stream()
    // 15 bits of window; 16 more request a gzip header, and a negative number requests none.
    guard reptrace_inflateInit2(&stream, container == .gzip ? 31 : -15) == Z_OK else {
      throw Failure(reason: .damaged, description: "zlib cannot be used")
    }
    defer { inflateEnd(&stream) }
    var consumed = 0
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let available = min(bytes.count - consumed, Int(UInt32.max / 2))
      if let base = bytes.baseAddress {
        stream.next_in = UnsafeMutableRawPointer(mutating: base + consumed)
          .assumingMemoryBound(to: UInt8.self)
      }
      stream.avail_in = UInt32(available)
      let status = piece.withUnsafeMutableBufferPointer { buffer -> Int32 in
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(buffer.count)
        return CZlib.inflate(&stream, Z_NO_FLUSH)
      }
      consumed += available - Int(stream.avail_in)
      let produced = piece.count - Int(stream.avail_out)
      let limit = stopsAtLimit ? limit : Self.limit(ofCompressed: earlier + consumed, limit)
      if result.count + produced > limit {
        guard stopsAtLimit else {
          throw Failure(
            reason: .tooLarge,
            description:
              "decompresses to more than \(limit) bytes; if that is right, unpack it first")
        }
        result.append(contentsOf: piece[..<(limit - result.count)])
        return consumed
      }
      result.append(contentsOf: piece[..<produced])
      switch status {
      case Z_STREAM_END: return consumed
      case Z_OK, Z_BUF_ERROR:
        guard produced > 0 || stream.avail_in > 0 || consumed < bytes.count else {
          if !stopsAtLimit {
            cutOff = Failure(
              reason: .truncated,
              description: "the compressed data ends early, after \(result.count) bytes of content")
          }
          return consumed
        }
      default:
        if stopsAtLimit { return bytes.count }
        throw Failure(
          reason: .damaged, description: "the compressed data is damaged at byte \(consumed)")
      }
    }
  }

  /// Returns the CRC-32 that zip archives store for each file.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CZlib.crc32(0, nil, 0)
    bytes.withUnsafeBufferPointer { buffer in
      var offset = 0
      while let base = buffer.baseAddress, offset < buffer.count {
        let count = min(buffer.count - offset, 1 << 30)
        checksum = CZlib.crc32(checksum, base + offset, UInt32(count))
        offset += count
      }
    }
    return UInt32(truncatingIfNeeded: checksum)
  }
}
