import ChunkDecoding
import Digests
import Motion
import WorkoutHistory

/// A decoded stream message with its hashes.
struct DecodedInput: Sendable {
  var number: Int
  var bytes: [UInt8]
  var result: Result<DecodedLine, DecodingFailure>
  /// Hash of the bytes, which identifies repetitions.
  var hash: UInt64
  var sender: String?
  /// SHA-256 of the bytes in hexadecimal, if an acknowledgement may need it.
  var sha256: String?

  /// Returns nil for an empty line.
  init?(_ input: StreamInput, options: StreamOptions) {
    number = input.number
    sender = input.sender
    switch input.content {
    case .refused(let failure):
      bytes = []
      hash = 0
      result = .failure(failure)
    case .line(let line):
      if line.allSatisfy({ $0 == 0x20 || $0 == 9 || $0 == 13 }) { return nil }
      bytes = line
      hash = line.withUnsafeBytes { XXHash64.hash($0) }
      result = Self.decode(line, isFrame: false, sidecar: input.sidecar, options: options.decoding)
    case .frame(let frame):
      bytes = frame
      hash = frame.withUnsafeBytes { XXHash64.hash($0) }
      result = Self.decode(frame, isFrame: true, sidecar: input.sidecar, options: options.decoding)
    }
    if let sender, case .success(var line) = result {
      // The authenticated sender overrides the message's own user id.
      for index in line.messages.indices {
        guard case .control(var control) = line.messages[index], control.kind == .startWorkout
        else { continue }
        control.details.userId = sender
        line.messages[index] = .control(control)
      }
      result = .success(line)
    }
    guard options.keepsJournal, !options.isSession, case .success(let decoded) = result
    else { return }
    let needsDigest = decoded.messages.contains { message in
      if case .chunk(let chunk) = message { chunk.chunkId == nil } else { false }
    }
    if needsDigest { sha256 = SHA256.hash(bytes).hexadecimalDigits }
  }

  enum Journaled {
    /// A chunk, with its packed samples if it is stored packed.
    case chunk(DecodedChunk, PackedSamples?, hash: UInt64)
    case health(HealthReading, hash: UInt64)
  }

  /// Decodes a journal entry: a packed chunk, or the message as received for other messages and chunks of
  /// older versions. Returns nil if it is neither.
  static func journaled(_ entry: JournalEntry, options: DecodingOptions) -> Journaled? {
    if entry.data.first == StoredChunk.journalMark {
      return StoredChunk.decodeJournal(entry.data).map {
        .chunk($0.chunk, $0.packed, hash: $0.hash)
      }
    }
    // 0x52 is the first byte of a frame; JSON never begins with it.
    let decoded = decode(entry.data, isFrame: entry.data.first == 0x52, options: options)
    guard case .success(let line) = decoded, line.messages.indices.contains(entry.part) else {
      return nil
    }
    let hash = messageHash(ofJournaled: entry)
    switch line.messages[entry.part] {
    case .control: return nil
    case .health(let health): return .health(health.reading, hash: hash)
    case .chunk(let chunk): return .chunk(chunk, nil, hash: hash)
    }
  }

  /// Returns the hash that identifies repetitions of a journaled message
  /// (``RoutedMessage/Source/messageHash``).
  static func messageHash(ofJournaled entry: JournalEntry) -> UInt64 {
    StoredChunk.messageHash(inJournal: entry.data)
      ?? entry.data.withUnsafeBytes { XXHash64.hash($0) } &+ UInt64(entry.part)
  }

  private static func decode(
    _ bytes: [UInt8], isFrame: Bool, sidecar: [UInt8]? = nil, options: DecodingOptions
  ) -> Result<DecodedLine, DecodingFailure> {
    do throws(DecodingFailure) {
      guard isFrame else {
        return storable(try RecordingDecoder.decodeLine(bytes, sidecar: sidecar, options: options))
      }
      let frame: Result<DecodedFrame, DecodingFailure> = bytes.withUnsafeBytes { buffer in
        Result { () throws(DecodingFailure) in
          try BinaryFrame.decode(buffer, limits: options.limits)
        }
      }
      var chunk = try frame.get().chunk
      if let sidecar { try chunk.fill(fromSidecar: sidecar, limits: options.limits) }
      return storable(DecodedLine(messages: [.chunk(chunk)]))
    } catch {
      return .failure(error)
    }
  }

  /// Rejects lines that a history cannot store, before any part of them is acknowledged.
  private static func storable(_ line: DecodedLine) -> Result<DecodedLine, DecodingFailure> {
    for message in line.messages {
      let identity = message.identity
      guard identity == identity.storable else {
        return .failure(DecodingFailure(.notAChunk, "an id holds U+0000"))
      }
      if case .chunk(let chunk) = message, chunk.countsMilliseconds {
        return .failure(
          DecodingFailure(
            .noUsableSample,
            "whole numbers at least 2 apart as times: the clock seems to count milliseconds, and "
              + "seconds are expected"))
      }
    }
    return .success(line)
  }
}

extension DecodedChunk {
  /// True if the samples are at least 2 s apart, all at whole seconds of the device's clock. No sensor is
  /// that slow, so the clock must count milliseconds.
  fileprivate var countsMilliseconds: Bool {
    let times = samples.timesSeconds
    guard times.count >= 8, samples.clock == .device, timeResolution == .exact else { return false }
    return zip(times, times.dropFirst()).allSatisfy {
      $0 == $0.rounded() && $1 - $0 >= 2 && $1 - $0 <= 1_000
    } && times[times.count - 1] == times[times.count - 1].rounded()
  }
}
