import ChunkDecoding
import Motion

/// A file of chunks or other messages that was decoded to determine how its samples are grouped.
///
/// There may be many chunk files. A plan keeps their samples while there is room in memory
/// (``LoadingOptions/samplesInMemory``); the others are decoded again when their recording is loaded.
package final class PlannedFile: Sendable {
  /// The properties by which chunks are grouped.
  struct Chunk: Sendable {
    var identity: SetIdentity
    var sampleCount: Int
  }

  package let file: InputFile
  /// True for a chunk file; false for a file of lines or frames that may define its own sets and sessions.
  let isChunkFile: Bool
  /// True if ids alone group the chunks; false if the file has chunks between sets, which are its rest.
  let containsOnlyChunks: Bool
  /// Ids of the sets and sessions in the messages, unless this is a chunk file.
  private let streamIdentities: Set<SetIdentity>
  /// The chunks in file order; empty unless ids alone group them.
  let chunks: [Chunk]
  let sampleCount: Int
  /// The decoded file; nil if there was no room for its samples.
  let content: DecodedFile?

  init(_ file: InputFile, _ decoded: DecodedFile) {
    self.file = file
    let chunks = decoded.chunks
    let onlyChunks = chunks.count == decoded.messages.count
    switch decoded.format {
    case .frames: isChunkFile = decoded.messages.count == 1
    case .chunkObject, .chunkArray: isChunkFile = onlyChunks
    default: isChunkFile = false
    }
    containsOnlyChunks =
      isChunkFile
      || onlyChunks
        && (chunks.allSatisfy { $0.identity.setId != nil }
          || chunks.allSatisfy { $0.identity.setId == nil && $0.identity.sessionId != nil })
    streamIdentities = isChunkFile ? [] : Self.identities(in: decoded.messages)
    self.chunks =
      containsOnlyChunks
      ? chunks.map { Chunk(identity: $0.identity, sampleCount: $0.samples.count) } : []
    sampleCount = decoded.sampleCount
    content = decoded
  }

  private init(withoutContent other: PlannedFile) {
    file = other.file
    isChunkFile = other.isChunkFile
    containsOnlyChunks = other.containsOnlyChunks
    streamIdentities = other.streamIdentities
    chunks = other.chunks
    sampleCount = other.sampleCount
    content = nil
  }

  /// Ids of the sets and sessions in the messages.
  var identities: Set<SetIdentity> {
    isChunkFile ? Set(chunks.map { $0.identity }) : streamIdentities
  }

  func withoutContent() -> PlannedFile { PlannedFile(withoutContent: self) }

  /// Returns the ids of sets and sessions in messages, each completed from the messages before.
  private static func identities(in messages: [StreamMessage]) -> Set<SetIdentity> {
    var context = SetContext()
    var identities = Set<SetIdentity>()
    for message in messages {
      switch message {
      case .control(let control):
        context.apply(control)
        if control.kind == .startSet { identities.insert(context.complete(control.identity)) }
      case .chunk(let chunk): identities.insert(context.complete(chunk.identity))
      case .health: break
      }
    }
    return identities
  }
}
