import Motion

/// A chunk decoded from a binary frame.
public struct DecodedFrame: Sendable {
  public var chunk: DecodedChunk
  /// The size of the frame in bytes.
  public var size: Int
}

extension BinaryFrame {
  /// Decodes the frame at the start of the bytes.
  ///
  /// - Returns: The chunk and the size of its frame in bytes.
  /// - Throws: ``DecodingFailure`` with `truncated` if the bytes end within the frame, or `invalidFrame` if
  ///   any of it is invalid. Offsets count from the start of `bytes`.
  /// - Complexity: O(bytes): a checksum and a copy.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, limits: DecodingLimits = .standard
  ) throws(DecodingFailure) -> DecodedFrame {
    guard let size = try size(ofFrameIn: bytes, limits: limits), size <= bytes.count else {
      throw DecodingFailure(
        .truncated, "the input ends within a frame", byteOffset: bytes.count)
    }
    let frame = UnsafeRawBufferPointer(rebasing: bytes[..<size])
    let body = UnsafeRawBufferPointer(rebasing: frame[..<(size - checksumSize)])
    let stated = frame.loadUnaligned(fromByteOffset: size - checksumSize, as: UInt64.self)
    guard XXHash64.hash(body) == stated.littleEndian else {
      throw DecodingFailure(
        .invalidFrame, "the frame's checksum does not fit its bytes",
        byteOffset: size - checksumSize)
    }
    let header = try Header(frame, limits: limits)
    var chunk = DecodedChunk(samples: try header.samples(in: frame))
    chunk.timeResolution = header.has(Flag.wholeSeconds) ? .wholeSeconds : .exact
    chunk.gravityIsUncertain = header.has(Flag.gravityIsUncertain)
    if header.has(Flag.hasPhase) { chunk.phase = header.has(Flag.isRest) ? .rest : .execution }
    chunk.metadata.statedCount = header.sampleCount
    try readMetadata(frame, count: header.metadataSize, limits: limits, into: &chunk)
    if chunk.samples.clock == .unix, chunk.unixTimeOfFirstSample == nil,
      let first = chunk.samples.times.first
    {
      chunk.unixTimeOfFirstSample = first / chunk.samples.units.time.unitsPerSecond
    }
    return DecodedFrame(chunk: chunk, size: size)
  }

  private struct Header {
    let flags: UInt8
    let metadataSize: Int
    let sampleCount: Int
    let channels: [MotionChannel]
    let units: MotionUnits
    let columnsOffset: Int

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    init(
      _ frame: UnsafeRawBufferPointer, limits: DecodingLimits
    ) throws(DecodingFailure) {
      func word(_ offset: Int) -> UInt32 {
        frame.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
      }
      flags = frame[5]
      guard flags & ~Flag.known == 0, flags & Flag.isRest == 0 || flags & Flag.hasPhase != 0 else {
        throw DecodingFailure(.invalidFrame, "flags \(flags) have no meaning", byteOffset: 5)
      }
      metadataSize = Int(frame.loadUnaligned(fromByteOffset: 6, as: UInt16.self).littleEndian)
      guard word(12) <= limits.samples else {
        throw DecodingFailure(
          .limitExceeded, "more than \(limits.samples) samples", byteOffset: 12)
      }
      sampleCount = Int(word(12))
      let mask = word(16)
      guard mask >> UInt32(MotionChannel.allCases.count) == 0, mask & 1 == 1 || sampleCount == 0
      else {
        throw DecodingFailure(
          .invalidFrame, "channels \(mask): time and known channels were expected", byteOffset: 16)
      }
      channels = MotionChannel.allCases.filter { mask & (1 << UInt32($0.rawValue)) != 0 }
      guard let units = BinaryFrame.units(word(20)) else {
        throw DecodingFailure(
          .invalidFrame, "units \(word(20)) have no meaning", byteOffset: 20)
      }
      self.units = units
      columnsOffset = headerSize + (metadataSize + 7) / 8 * 8
    }

    func samples(in frame: UnsafeRawBufferPointer) throws(DecodingFailure) -> MotionBatch {
      let clock: MotionClock = has(Flag.unixClock) ? .unix : .device
      guard sampleCount > 0 else { return MotionBatch(units: units, clock: clock) }
      var batch = MotionBatch(units: units, clock: clock)
      var offset = columnsOffset
      for channel in channels {
        let column = [Double](unsafeUninitializedCapacity: sampleCount) { buffer, initialized in
          let source = UnsafeRawBufferPointer(rebasing: frame[offset..<offset + 8 * sampleCount])
          UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
          #if _endian(big)
            for index in buffer.indices {
              buffer[index] = Double(bitPattern: buffer[index].bitPattern.byteSwapped)
            }
          #endif
          initialized = sampleCount
        }
        if channel == .time {
          var isFinite = true
          for time in column where !time.isFinite { isFinite = false }
          guard isFinite else {
            throw DecodingFailure(
              .invalidFrame, "a time that is no finite number", byteOffset: offset)
          }
          batch = MotionBatch([.time: column], units: units, clock: clock)
        } else {
          batch[channel] = column
        }
        offset += 8 * sampleCount
      }
      return batch
    }
  }

  private static func readMetadata(
    _ frame: UnsafeRawBufferPointer, count: Int, limits: DecodingLimits,
    into chunk: inout DecodedChunk
  ) throws(DecodingFailure) {
    var offset = headerSize
    let end = headerSize + count
    while offset < end {
      guard offset + 2 <= end, offset + 2 + Int(frame[offset + 1]) <= end else {
        throw DecodingFailure(
          .invalidFrame, "an entry of the metadata reaches beyond it", byteOffset: offset)
      }
      let tag = Tag(rawValue: frame[offset])
      let length = Int(frame[offset + 1])
      let value = UnsafeRawBufferPointer(rebasing: frame[(offset + 2)..<(offset + 2 + length)])
      guard length <= limits.textBytes else {
        throw DecodingFailure(
          .limitExceeded, "an id of more than \(limits.textBytes) bytes", byteOffset: offset)
      }
      if let tag { try read(tag, value, at: offset, into: &chunk) }
      offset += 2 + length
    }
  }

  private static func read(
    _ tag: Tag, _ value: UnsafeRawBufferPointer, at offset: Int, into chunk: inout DecodedChunk
  ) throws(DecodingFailure) {
    func integer() throws(DecodingFailure) -> Int {
      guard value.count == 4 else { throw wrongLength(tag, offset) }
      return Int(value.loadUnaligned(as: Int32.self).littleEndian)
    }
    func double() throws(DecodingFailure) -> Double {
      guard value.count == 8 else { throw wrongLength(tag, offset) }
      let bits = value.loadUnaligned(as: UInt64.self).littleEndian
      guard Double(bitPattern: bits).isFinite else { throw wrongLength(tag, offset) }
      return Double(bitPattern: bits)
    }
    switch tag {
    case .sessionId: chunk.identity.sessionId = String(decoding: value, as: UTF8.self)
    case .exerciseId: chunk.identity.exerciseId = String(decoding: value, as: UTF8.self)
    case .setId: chunk.identity.setId = String(decoding: value, as: UTF8.self)
    case .chunkId: chunk.chunkId = String(decoding: value, as: UTF8.self)
    case .planId: chunk.metadata.planId = String(decoding: value, as: UTF8.self)
    case .setOrder: chunk.metadata.setOrder = try integer()
    case .exerciseIndex: chunk.metadata.exerciseIndex = try integer()
    case .sentTime: chunk.metadata.unixTime = try double()
    case .firstSampleTime: chunk.unixTimeOfFirstSample = try double()
    case .captureFrequency:
      chunk.captureFrequenciesHz = Array(repeating: try double(), count: chunk.samples.count)
    }
  }

  private static func wrongLength(_ tag: Tag, _ offset: Int) -> DecodingFailure {
    DecodingFailure(
      .invalidFrame, "the metadata's entry \(tag) has a wrong length or value", byteOffset: offset)
  }

  /// Decodes units from their bits: time in bits 0 and 1, then the other units.
  static func units(_ bits: UInt32) -> MotionUnits? {
    guard bits < 1 << 7, let time = TimeUnit(rawValue: UInt8(bits & 3)) else { return nil }
    return MotionUnits(bits: UInt8(bits >> 2), time: time)
  }

  static func bits(_ units: MotionUnits) -> UInt32 {
    UInt32(units.bits) << 2 | UInt32(units.time.rawValue)
  }

  /// Decodes a file of consecutive frames. Damaged frames are dropped.
  static func decodeFile(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions
  ) throws(DecodingFailure) -> DecodedFile {
    let limits = options.limits
    var file = DecodedFile(format: .frames, messages: [])
    var offset = 0
    var firstFailure: DecodingFailure?
    // A false frame header may claim all remaining bytes, which must be read to verify the checksum. This
    // budget keeps a file with many of them from taking quadratic time.
    var spareBytes = 8 * bytes.count
    while offset < bytes.count {
      guard file.messages.count < limits.messages else {
        throw DecodingFailure(
          .limitExceeded, "more than \(limits.messages) frames", byteOffset: offset)
      }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      do {
        let frame = try decode(rest, limits: limits)
        file.messages.append(.chunk(frame.chunk))
        offset += frame.size
      } catch {
        var failure = error
        failure.byteOffset = (error.byteOffset ?? 0) + offset
        firstFailure = firstFailure ?? failure
        file.issues.note(
          DecodingIssue(
            error.kind == .truncated ? .truncated : .damaged, failure.message,
            byteOffset: failure.byteOffset))
        if let size = try? size(ofFrameIn: rest, limits: limits), size <= rest.count {
          spareBytes -= size
        }
        guard spareBytes > 0 else {
          file.issues.note(
            DecodingIssue(
              .damaged, "too many damaged frames; what follows was not read", byteOffset: offset))
          break
        }
        // Search for the magic of the next frame.
        offset += 1
        while offset < bytes.count,
          !isFrame(UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(4)))
        {
          offset += 1
        }
      }
    }
    if file.messages.isEmpty, let firstFailure { throw firstFailure }
    return file
  }
}
