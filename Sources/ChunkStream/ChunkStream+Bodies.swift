import ChunkDecoding
import Digests
import RecordingInput

extension ChunkStream {
  /// An error in a body that should be a sequence of messages.
  public struct BodyError: Error, CustomStringConvertible {
    public var description: String
    /// True if it exceeds a limit.
    public var isTooLarge = false
  }

  /// Splits a mixture of NDJSON and binary frames into messages. Empty lines are skipped.
  ///
  /// - Throws: ``BodyError`` for a damaged or truncated frame.
  public static func cut(
    _ body: [UInt8], messageBytes: Int
  ) throws(BodyError) -> [Message.Content] {
    var limits = DecodingLimits.standard
    limits.messageBytes = messageBytes
    var contents: [Message.Content] = []
    var position = 0
    while position < body.count {
      let size: Int?
      do throws(DecodingFailure) {
        size = try body.withBytes { bytes throws(DecodingFailure) in
          let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
          guard BinaryFrame.isFrame(rest) else { return nil }
          return try BinaryFrame.size(ofFrameIn: rest, limits: limits) ?? .max
        }
      } catch {
        throw BodyError(description: "the frame at byte \(position): \(error.message)")
      }
      if let size {
        guard size <= body.count - position else {
          throw BodyError(description: "the frame at byte \(position) is cut off")
        }
        contents.append(.frame(Array(body[position..<position + size])))
        position += size
      } else {
        let end = body[position...].firstIndex(of: 0x0A) ?? body.count
        if body[position..<end].contains(where: { $0 != 0x20 && $0 != 9 && $0 != 0x0D }) {
          contents.append(.json(Array(body[position..<end])))
        }
        position = end + 1
      }
    }
    return contents
  }

  /// Decompresses a gzip body.
  ///
  /// - Throws: ``BodyError`` if it is damaged, truncated, or larger than the limit.
  public static func decompress(_ body: [UInt8], limit: Int) throws(BodyError) -> [UInt8] {
    do throws(Inflater.Failure) {
      return try body.withBytes { bytes throws(Inflater.Failure) in
        try Inflater.inflate(bytes, .gzip, limit: limit)
      }
    } catch {
      throw BodyError(description: error.description, isTooLarge: error.reason == .tooLarge)
    }
  }

  /// Returns the SHA-256 of bytes. Acknowledgements identify chunks without an id by it.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(bytes) }
}
