import Motion

/// The project's binary chunk frame, for transport at high rates: columns of doubles with ids and a checksum.
/// `docs/formats.md` specifies it.
///
///     offset  size  field (little-endian)
///     0       4     magic 52 54 43 F1
///     4       1     version, 1
///     5       1     flags
///     6       2     bytes of metadata, without padding
///     8       4     bytes of the frame, checksum included; a multiple of 8
///     12      4     number of samples
///     16      4     channels: bit n for the channel with raw value n
///     20      4     units
///     24      …     metadata: tag, length, bytes; zeros up to a multiple of 8
///     …       8·n   a column of doubles for each channel, in ascending order
///     −8      8     XXH64 of everything before, seed 0
public enum BinaryFrame {
  /// The first bytes of every frame.
  static let magic: UInt32 = 0xF143_5452
  package static let version: UInt8 = 1
  static let headerSize = 24
  static let checksumSize = 8

  enum Flag {
    static let unixClock: UInt8 = 1
    static let hasPhase: UInt8 = 2
    static let isRest: UInt8 = 4
    static let wholeSeconds: UInt8 = 8
    static let gravityIsUncertain: UInt8 = 16
    static let known: UInt8 = 31
  }

  /// Tags of metadata. Unknown ones are skipped.
  enum Tag: UInt8, CaseIterable {
    case sessionId = 1
    case exerciseId, setId, chunkId, planId
    /// 32-bit integers.
    case setOrder, exerciseIndex
    /// Doubles: seconds since 1970 when sent, and at the first sample; samples per second.
    case sentTime, firstSampleTime, captureFrequency
  }

  /// Returns whether the bytes begin with a frame.
  public static func isFrame(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 4 && bytes.loadUnaligned(as: UInt32.self).littleEndian == magic
  }

  /// Returns the size in bytes of the frame at the start, so that a stream's reader knows how many to await;
  /// nil if the header is incomplete.
  ///
  /// The header also implies the size by samples and channels, so a damaged size is detected at once.
  ///
  /// - Throws: If the bytes are not a frame, the header contradicts itself, or the frame exceeds `limits`.
  public static func size(
    ofFrameIn bytes: UnsafeRawBufferPointer, limits: DecodingLimits = .standard
  ) throws(DecodingFailure) -> Int? {
    guard bytes.count >= headerSize else { return nil }
    guard isFrame(bytes) else {
      throw DecodingFailure(
        .invalidFrame, "a frame was expected, its first bytes 52 54 43 F1", byteOffset: 0)
    }
    guard bytes[4] == version else {
      throw DecodingFailure(
        .invalidFrame, "frame version \(bytes[4]); \(version) was expected", byteOffset: 4)
    }
    // 64 bits, since `Int` may have 32.
    let word = { (offset: Int) in
      UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
    }
    let size = word(8)
    guard size >= headerSize + checksumSize, size % 8 == 0 else {
      throw DecodingFailure(.invalidFrame, "a frame of impossible size \(size)", byteOffset: 8)
    }
    guard size <= limits.messageBytes else {
      throw DecodingFailure(
        .limitExceeded, "a frame of more than \(limits.messageBytes) bytes", byteOffset: 8)
    }
    let metadata = Int(bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self).littleEndian)
    let (samples, channels) = (word(12), UInt64(word(16).nonzeroBitCount))
    // At most 32 channels of 2^32 samples: no overflow.
    let expected =
      UInt64(headerSize + (metadata + 7) / 8 * 8 + checksumSize) + 8 * channels * samples
    guard size == expected else {
      throw DecodingFailure(
        .invalidFrame,
        "a frame of \(size) bytes cannot hold \(samples) samples of \(channels) channels",
        byteOffset: 8)
    }
    return Int(size)
  }
}
