import Foundation
import RepTrace

/// Cuts standard input into lines and binary frames, and hands on what there is.
///
/// A call of ``next()`` waits for input, takes what can be had without waiting, up to some
/// megabytes, and returns the messages that are complete. SIGTERM and SIGINT are the end of input.
final class StreamReader {
  private static let readSize = 1 << 18
  private static let batchSize = 2 << 20

  private let descriptor: Int32
  private let messageBytes: Int
  private let signals: StreamSignals
  private var buffer: [UInt8] = []
  /// Bytes of `buffer` that were read; what follows is room.
  private var end = 0
  /// Bytes of `buffer` that were cut off already.
  private var position = 0
  /// Bytes from `position` that were searched for an end of line already.
  private var searched = 0
  /// Within a message that is too long, up to the end of its line.
  private var isSkipping = false
  private var number = 0
  private var isAtEnd = false

  init(descriptor: Int32, messageBytes: Int, signals: StreamSignals) {
    self.descriptor = descriptor
    self.messageBytes = messageBytes
    self.signals = signals
  }

  /// The next messages; nil at the end of the input.
  ///
  /// - Throws: ``InputError``.
  func next() throws -> [StreamInput]? {
    var messages: [StreamInput] = []
    var size = 0
    while !isAtEnd, size < Self.batchSize {
      switch signals.wait(for: descriptor, blocks: messages.isEmpty) {
      case .nothing: return messages
      case .terminated:
        // What was not received whole is not used.
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
      if !isSkipping, mayBeFrame {
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

  private func refuseLongLine(_ messages: inout [StreamInput]) {
    add(
      .refused(DecodingFailure(.limitExceeded, "a line of more than \(messageBytes) bytes")),
      to: &messages)
  }

  // MARK: - Frames

  private static let magic: [UInt8] = [0x52, 0x54, 0x43, 0xF1]

  /// Whether a frame, or the beginning of one, is next. No JSON text begins like that.
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
      add(
        .refused(DecodingFailure(.truncated, "the input ends within a frame")), to: &messages)
      position = end
      return true
    case .failure(let failure):
      // Its length is not to be trusted: the next message begins at a frame's magic or a new line.
      add(.refused(failure), to: &messages)
      var next = position + 1
      while next < end, buffer[next] != 0x0A,
        !buffer[next..<end].prefix(4).elementsEqual(Self.magic)
      {
        next += 1
      }
      position = next
      searched = 0
      return true
    }
  }
}

/// Standard input could not be read.
struct InputError: Error, CustomStringConvertible {
  var code: Int32

  var description: String { "cannot read standard input: \(String(cString: strerror(code)))" }
}
