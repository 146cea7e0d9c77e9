import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// A message with the set or session that it belongs to.
struct RoutedMessage: Sendable {
  enum Operation: Sendable {
    /// Opens the set or session, with or without samples.
    case open
    case chunk(DecodedChunk)
    case health(HealthReading)
    /// Ends the set or session.
    case end
    /// The input has ended: finalizes the set, which a later run may resume.
    case cut
    /// Saves the samples received since the last save.
    case save
    /// The session has declared sets, so its other samples are rest.
    case becomeRest
    /// Evicts the set from memory.
    case forget
    /// A person deleted the set: discards all of it.
    case drop
  }

  /// Position among all operations; events are emitted in this order.
  var sequence: Int
  var key: StreamKey
  var kind: JournalSet.Kind
  var identity: SetIdentity
  var operation: Operation
  /// The person of the session; nil for the store's owner.
  var person: String?
  /// Time of the session's last control message, in seconds since 1970.
  var controlUnixTime: Double?
  /// The input that contained the message; nil for operations of the engine itself.
  var source: Source?

  struct Source: Sendable {
    var line: Int
    var bytes: [UInt8]
    var hash: UInt64
    /// Index of the message within the input.
    var part: Int
    var chunkId: String?
    var sha256: String?

    /// Identifies repetitions of the message.
    var messageHash: UInt64 { hash &+ UInt64(part) }
  }
}
