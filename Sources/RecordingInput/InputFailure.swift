import ChunkDecoding

/// An unusable input: its path, the position in it, and what was expected there.
public struct InputFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    case missing
    /// The input exists but cannot be opened or read.
    case unreadable
    /// The content is not a recording, or is damaged and has no usable sample.
    case undecodable
    /// No recording was found in the folder.
    case noRecording
  }

  public var path: String
  public var kind: Kind
  public var message: String

  public init(path: String, kind: Kind, message: String) {
    self.path = path
    self.kind = kind
    self.message = message
  }

  public var description: String { "\(path): \(message)" }
}

/// The reason why a file gave no recording.
enum LoadingFailure: Error {
  case input(InputFailure)
  case decoding(DecodingFailure)
}
