import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// A message with the set or session that it is for.
struct RoutedMessage: Sendable {
  enum Operation: Sendable {
    /// It exists, with or without samples.
    case open
    case chunk(DecodedChunk)
    case health(HealthReading)
    /// It has ended.
    case end
    /// The input has ended: it is finalized, and goes on when more comes in a later run.
    case cut
    /// What it has received since it was saved is to be saved.
    case save
    /// Its session has declared sets.
    case becomeRest
    /// It is no longer kept in memory.
    case forget
    /// A person deleted it: nothing of it is kept.
    case drop
  }

  /// Its place among all operations: events come out in this order.
  var sequence: Int
  var key: StreamKey
  var kind: JournalSet.Kind
  var identity: SetIdentity
  var operation: Operation
  /// The person of the session; nil for the owner of the store.
  var person: String?
  /// Of the last control message of the session, seconds since 1970.
  var controlUnixTime: Double?
  /// The input that it came with; nil for what the engine does by itself.
  var source: Source?

  struct Source: Sendable {
    var line: Int
    var bytes: [UInt8]
    var hash: UInt64
    /// Which of the input's messages.
    var part: Int
    var chunkId: String?
    var sha256: String?

    /// Tells repetitions of the message from others.
    var messageHash: UInt64 { hash &+ UInt64(part) }
  }
}
