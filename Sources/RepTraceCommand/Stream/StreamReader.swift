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
  private let termination: TerminationSignal
  private var buffer: [UInt8] = []
  /// Bytes of `buffer` that were cut off already.
  private var position = 0
  /// Bytes from `position` that were searched for an end of line already.
  private var searched = 0
  /// Within a message that is too long, up to the end of its line.
  private var isSkipping = false
  private var number = 0
  private var isAtEnd = false

  init(descriptor: Int32, messageBytes: Int) throws {
    self.descriptor = descriptor
    self.messageBytes = messageBytes
    termination = try TerminationSignal()
  }

  /// The next messages; nil at the end of the input.
  ///
  /// - Throws: ``InputError``.
  func next() throws -> [StreamInput]? {
    var messages: [StreamInput] = []
    var size = 0
    while !isAtEnd, size < Self.batchSize {
      switch termination.wait(for: descriptor, blocks: messages.isEmpty) {
      case .nothing: return messages
      case .terminated:
        // What was not received whole is not used.
        isAtEnd = true
        buffer = []
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
    if position > 0 {
      buffer.removeSubrange(..<position)
      position = 0
    }
    let end = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.readSize))
    let count = buffer.withUnsafeMutableBytes { bytes in
      var count = 0
      repeat {
        count = Foundation.read(descriptor, bytes.baseAddress.map { $0 + end }, Self.readSize)
      } while count < 0 && errno == EINTR
      return count
    }
    buffer.removeLast(Self.readSize - max(0, count))
    guard count >= 0 else { throw InputError(code: errno) }
    return count
  }

  private func cut(into messages: inout [StreamInput]) {
    while position < buffer.count {
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
      guard let base = bytes.baseAddress, start < bytes.count,
        let end = memchr(base + start, 0x0A, bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(end) - base
    }
    guard found != nil || isAtEnd else {
      searched = buffer.count - position
      if searched > messageBytes {
        if !isSkipping { refuseLongLine(&messages) }
        isSkipping = true
        position = buffer.count
        searched = 0
      }
      return false
    }
    let end = found ?? buffer.count
    if isSkipping {
      isSkipping = false
    } else if end - position > messageBytes {
      refuseLongLine(&messages)
    } else {
      add(.line(Array(buffer[position..<end])), to: &messages)
    }
    position = min(end + 1, buffer.count)
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
    let head = buffer[position...].prefix(4)
    guard isAtEnd || head.count == 4 else { return Self.magic.starts(with: head) }
    return head.elementsEqual(Self.magic)
  }

  private func cutFrame(into messages: inout [StreamInput]) -> Bool {
    var limits = DecodingLimits.standard
    limits.messageBytes = messageBytes
    let sized = buffer[position...].withUnsafeBytes { bytes -> Result<Int?, DecodingFailure> in
      Result { () throws(DecodingFailure) in
        try BinaryFrame.size(ofFrameIn: bytes, limits: limits)
      }
    }
    switch sized {
    case .success(let size?) where position + size <= buffer.count:
      add(.frame(Array(buffer[position..<position + size])), to: &messages)
      position += size
      return true
    case .success:
      guard isAtEnd else { return false }
      add(
        .refused(DecodingFailure(.truncated, "the input ends within a frame")), to: &messages)
      position = buffer.count
      return true
    case .failure(let failure):
      // Its length is not to be trusted: the next message begins at a frame's magic or a new line.
      add(.refused(failure), to: &messages)
      var next = position + 1
      while next < buffer.count, buffer[next] != 0x0A,
        !buffer[next...].prefix(4).elementsEqual(Self.magic)
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
