import Motion

extension BinaryFrame {
  /// Returns a chunk as a frame.
  ///
  /// Drops the name of the chunk's type, and rates that differ between samples. Truncates ids to 255 bytes.
  /// - Returns: nil if the chunk has more samples than a frame's 32-bit size can hold.
  public static func encode(_ chunk: DecodedChunk) -> [UInt8]? {
    let samples = chunk.samples
    let metadata = encodedMetadata(chunk)
    let padded = (metadata.count + 7) / 8 * 8
    let channels = samples.isEmpty ? [] : samples.channels
    let size = headerSize + padded + 8 * channels.count * samples.count + checksumSize
    guard metadata.count <= Int(UInt16.max), size <= UInt32.max else { return nil }
    var flags: UInt8 = samples.clock == .unix ? Flag.unixClock : 0
    if let phase = chunk.phase { flags |= Flag.hasPhase | (phase == .rest ? Flag.isRest : 0) }
    if chunk.timeResolution == .wholeSeconds { flags |= Flag.wholeSeconds }
    if chunk.gravityIsUncertain { flags |= Flag.gravityIsUncertain }
    var frame: [UInt8] = []
    frame.reserveCapacity(size)
    frame.append(littleEndian: magic)
    frame.append(version)
    frame.append(flags)
    frame.append(littleEndian: UInt16(metadata.count))
    frame.append(littleEndian: UInt32(size))
    frame.append(littleEndian: UInt32(samples.count))
    frame.append(littleEndian: channels.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) })
    frame.append(littleEndian: bits(samples.units))
    frame += metadata
    frame += repeatElement(0, count: padded - metadata.count)
    for channel in channels {
      for value in samples[channel] { frame.append(littleEndian: value.bitPattern) }
    }
    let checksum = frame.withUnsafeBytes { XXHash64.hash($0) }
    frame.append(littleEndian: checksum)
    return frame
  }

  private static func encodedMetadata(_ chunk: DecodedChunk) -> [UInt8] {
    var result: [UInt8] = []
    func add(_ tag: Tag, _ bytes: [UInt8]) {
      result += [tag.rawValue, UInt8(bytes.count)]
      result += bytes
    }
    func add(_ tag: Tag, text: String?) {
      guard let text else { return }
      // Cut between characters.
      var cut = text
      while cut.utf8.count > 255 { cut.removeLast() }
      add(tag, Array(cut.utf8))
    }
    func add(_ tag: Tag, integer: Int?) {
      guard let integer, let value = Int32(exactly: integer) else { return }
      var bytes: [UInt8] = []
      bytes.append(littleEndian: UInt32(bitPattern: value))
      add(tag, bytes)
    }
    func add(_ tag: Tag, double: Double?) {
      guard let double, double.isFinite else { return }
      var bytes: [UInt8] = []
      bytes.append(littleEndian: double.bitPattern)
      add(tag, bytes)
    }
    add(.sessionId, text: chunk.identity.sessionId)
    add(.exerciseId, text: chunk.identity.exerciseId)
    add(.setId, text: chunk.identity.setId)
    add(.chunkId, text: chunk.chunkId)
    add(.planId, text: chunk.metadata.planId)
    add(.setOrder, integer: chunk.metadata.setOrder)
    add(.exerciseIndex, integer: chunk.metadata.exerciseIndex)
    add(.sentTime, double: chunk.metadata.unixTime)
    add(.firstSampleTime, double: chunk.unixTimeOfFirstSample)
    add(.captureFrequency, double: chunk.captureFrequenciesHz.first)
    return result
  }

  /// Corrects the size and checksum of a frame, so that tests and fuzzers reach the code after those checks.
  ///
  /// - Returns: False if the bytes are too short for a frame.
  package static func repair(_ frame: inout [UInt8]) -> Bool {
    frame.removeLast(frame.count % 8)
    guard frame.count >= headerSize + checksumSize else { return false }
    func write(_ value: UInt64, at offset: Int, bytes: Int) {
      for index in 0..<bytes {
        frame[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    }
    write(UInt64(magic), at: 0, bytes: 4)
    frame[4] = version
    write(UInt64(frame.count), at: 8, bytes: 4)
    let body = frame.count - checksumSize
    let hash = frame.withUnsafeBytes { bytes in
      XXHash64.hash(UnsafeRawBufferPointer(rebasing: bytes[..<body]))
    }
    write(hash, at: body, bytes: 8)
    return true
  }
}

extension [UInt8] {
  fileprivate mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
