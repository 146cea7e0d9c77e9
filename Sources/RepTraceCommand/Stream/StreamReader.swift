import Foundation
import RepTrace

/// Splits standard input into lines and binary frames.
///
/// Each call of ``next()`` waits for input, reads what is available without further waiting, up to some
/// megabytes, and returns the complete messages. SIGTERM and SIGINT end the input.
final class StreamReader {
  private static let readSize = 1 << 18
  private static let batchSize = 1 << 20

  private let descriptor: Int32
  private let messageBytes: Int
  private let signals: StreamSignals
  private var buffer: [UInt8] = []
  /// End of the input in `buffer`; the bytes after it are spare.
  private var end = 0
  /// Number of bytes of `buffer` that were already returned as messages.
  private var position = 0
  /// Number of bytes after `position` that were already searched for a line end.
  private var searched = 0
  /// True inside an overlong line.
  private var isSkipping = false
  /// True after a damaged frame, until a message may begin.
  private var isLost = false
  private var number = 0
  private var isAtEnd = false

  init(descriptor: Int32, messageBytes: Int, signals: StreamSignals) {
    self.descriptor = descriptor
    self.messageBytes = messageBytes
    self.signals = signals
  }

  /// Returns the next messages; nil at the end of the input.
  ///
  /// - Throws: ``InputError``.
  func next() throws -> [StreamInput]? {
    var messages: [StreamInput] = []
    var size = 0
    while !isAtEnd, size < Self.batchSize {
      switch signals.wait(for: descriptor, blocks: messages.isEmpty) {
      case .nothing: return messages
      case .terminated:
        // Discard the incomplete message.
        isAtEnd = true
        end = 0
        position = 0
        continue
      case .readable: break
      }
      let count = try read()
      size += count
      if count == 0 { isAtEnd = true }
      cut(into: &messages)
    }
    return messages.isEmpty && isAtEnd ? nil : messages
  }

  private func read() throws -> Int {
    let kept = end - position
    if buffer.count - kept < Self.readSize {
      buffer.append(contentsOf: repeatElement(0, count: kept + Self.readSize))
    }
    let count = buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      memmove(base, base + position, kept)
      var count = 0
      repeat {
        count = Foundation.read(descriptor, base + kept, bytes.count - kept)
      } while count < 0 && errno == EINTR
      return count
    }
    position = 0
    end = kept + max(0, count)
    guard count >= 0 else { throw InputError(code: errno) }
    return count
  }

  private func cut(into messages: inout [StreamInput]) {
    while position < end {
      if isLost {
        guard findMessage() else { return }
      } else if !isSkipping, mayBeFrame {
        guard cutFrame(into: &messages) else { return }
      } else {
        guard cutLine(into: &messages) else { return }
      }
    }
  }

  private func add(_ content: StreamInput.Content, to messages: inout [StreamInput]) {
    number += 1
    messages.append(StreamInput(number: number, content: content))
  }

  // MARK: - Lines

  private func cutLine(into messages: inout [StreamInput]) -> Bool {
    let start = position + searched
    let found = buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, start < end,
        let newline = memchr(base + start, 0x0A, end - start)
      else { return nil }
      return UnsafeRawPointer(newline) - base
    }
    guard found != nil || isAtEnd else {
      searched = end - position
      if searched > messageBytes {
        if !isSkipping { refuseLongLine(&messages) }
        isSkipping = true
        position = end
        searched = 0
      }
      return false
    }
    let lineEnd = found ?? end
    if let frame = frameStart(in: position..<lineEnd) {
      // A frame with a damaged magic looks like a line and hides the frame after it.
      add(
        .refused(DecodingFailure(.invalidFrame, "neither a line nor a frame, before a frame")),
        to: &messages)
      isSkipping = false
      position = frame
      searched = 0
      return true
    }
    if isSkipping {
      isSkipping = false
    } else if lineEnd - position > messageBytes {
      refuseLongLine(&messages)
    } else {
      add(.line(Array(buffer[position..<lineEnd])), to: &messages)
    }
    position = min(lineEnd + 1, end)
    searched = 0
    return true
  }

  /// Finds a frame's magic within a line. Text never contains it: its last byte, 0xF1, would begin a
  /// character of an unassigned Unicode plane.
  private func frameStart(in line: Range<Int>) -> Int? {
    buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      var from = line.lowerBound
      while from < line.upperBound,
        let found = memchr(base + from, Int32(Self.magic[3]), line.upperBound - from)
      {
        let last = UnsafeRawPointer(found) - base
        if last - 3 > line.lowerBound, bytes[(last - 3)...last].elementsEqual(Self.magic) {
          return last - 3
        }
        from = last + 1
      }
      return nil
    }
  }

  private func refuseLongLine(_ messages: inout [StreamInput]) {
    add(
      .refused(DecodingFailure(.limitExceeded, "a line of more than \(messageBytes) bytes")),
      to: &messages)
  }

  // MARK: - Frames

  private static let magic: [UInt8] = [0x52, 0x54, 0x43, 0xF1]

  /// True if a frame, or the beginning of one, is next. JSON never begins with its bytes.
  private var mayBeFrame: Bool {
    let head = buffer[position..<end].prefix(4)
    guard isAtEnd || head.count == 4 else { return Self.magic.starts(with: head) }
    return head.elementsEqual(Self.magic)
  }

  private func cutFrame(into messages: inout [StreamInput]) -> Bool {
    var limits = DecodingLimits.standard
    limits.messageBytes = messageBytes
    let sized = buffer[position..<end].withUnsafeBytes { bytes -> Result<Int?, DecodingFailure> in
      Result { () throws(DecodingFailure) in
        try BinaryFrame.size(ofFrameIn: bytes, limits: limits)
      }
    }
    switch sized {
    case .success(let size?) where position + size <= end:
      add(.frame(Array(buffer[position..<position + size])), to: &messages)
      position += size
      return true
    case .success:
      guard isAtEnd else { return false }
      add(.refused(DecodingFailure(.truncated, "the input ends within a frame")), to: &messages)
      position = end
      return true
    case .failure(let failure):
      // The length of a damaged frame cannot be trusted.
      add(.refused(failure), to: &messages)
      position += 1
      searched = 0
      isLost = true
      return true
    }
  }

  /// Skips to the next place where a message may begin: a frame's magic, or a line of JSON. A line end alone
  /// is not enough, since a damaged frame may contain that byte.
  private func findMessage() -> Bool {
    var next = position
    while next < end {
      let byte = buffer[next]
      let rest = buffer[next..<end]
      if byte == Self.magic[0] {
        let head = rest.prefix(Self.magic.count)
        // At the end of the buffer, a prefix of the magic is enough.
        if Self.magic.starts(with: head), head.count == Self.magic.count || !isAtEnd { break }
      } else if byte == 0x0A {
        guard rest.count > 1 else {
          if isAtEnd { next = end }
          break
        }
        if rest[next + 1] == UInt8(ascii: "{") || rest[next + 1] == UInt8(ascii: "[") {
          position = next + 1
          isLost = false
          return true
        }
      }
      next += 1
    }
    position = next
    guard next < end, buffer[next] == Self.magic[0], end - next >= Self.magic.count else {
      return false
    }
    isLost = false
    return true
  }
}

/// Standard input could not be read.
struct InputError: Error, CustomStringConvertible {
  var code: Int32

  var description: String { "cannot read standard input: \(String(cString: strerror(code)))" }
}
