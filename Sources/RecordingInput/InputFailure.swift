import ChunkDecoding

/// An input that could not be used: which, where in it, and what was expected there.
public struct InputFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    case missing
    /// Exists, but cannot be opened or read.
    case unreadable
    /// Its content is no recording, or a damaged one without a usable sample.
    case undecodable
    /// A folder in which no recording was found.
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
