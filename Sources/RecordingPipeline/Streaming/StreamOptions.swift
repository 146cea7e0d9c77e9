import ChunkDecoding
import Motion
import RepDetection
import WorkoutHistory

/// What a stream's engine does, and what it accepts at most.
package struct StreamOptions: Sendable {
  package var decoding = DecodingOptions()
  package var detector = DetectorConfiguration() {
    didSet { storage.provenance = .ofThisBuild(detector: detector) }
  }
  /// How long live detection waits for a missing chunk, in seconds of signal.
  package var gapWaitSeconds = 10.0
  /// Sets and sessions under way. Beyond it the one that was silent longest is finalized.
  package var liveSets = 20_000
  /// Sets that have ended and are kept in memory, for late chunks. With a store, those that have ended
  /// or changed in the last six batches stay beyond that: the store has the others for certain.
  package var endedSets = 2_000
  /// Samples and health readings of the sets in memory. Beyond it ended sets are let go, then the set
  /// that was silent longest is finalized.
  package var samples = 40_000_000
  /// Samples of one set or session; chunks beyond it are refused.
  package var samplesPerSet = 5_000_000
  /// Threads that decode, and threads that detect.
  package var workers = 2
  /// Samples of a set after which the journal gets the state of live detection anew: so many, and those
  /// of a batch, are counted once more where the set is taken up after a crash. Most sets are over
  /// before, and cost none.
  package var samplesBetweenSnapshots = 8192
  /// Whether there is a store: chunks are acknowledged, and finalized sets prepared for saving.
  package var keepsJournal = false
  /// True if the caller keeps the engine's whole state with its results (``StreamSession``): nothing is
  /// acknowledged, and sets that have ended leave memory at once.
  package var isSession = false
  package var acknowledgement = Acknowledgement.durable
  /// True if a sender may begin again at any earlier message after a restart; false if each message is
  /// answered by itself, so that only an unanswered one comes again.
  package var replaysInput = true
  /// Claims a session that this store does not know for the sender of its first message; false if it is
  /// another person's.
  package var claimsSession: @Sendable (_ session: String, _ person: String) -> Bool = { _, _ in
    true
  }
  package var storage = StorageOptions()
  /// What is known of how people move.
  package var knownMovements: MovementCache?

  /// When a chunk is acknowledged.
  package enum Acknowledgement: String, Sendable, CaseIterable {
    /// Once it is in the journal.
    case durable
    /// Once what holds it is finalized, so that whoever sends it may be the journal.
    case finalized
  }

  package init() {
    decoding.limits.messageBytes = 4 << 20
    decoding.limits.samples = 100_000
  }
}

/// One message of a stream as it was received.
package struct StreamInput: Sendable {
  package enum Content: Sendable {
    /// A line without its end.
    case line([UInt8])
    /// A binary frame.
    case frame([UInt8])
    /// What was passed over because it was too long, or no frame.
    case refused(DecodingFailure)
  }

  /// From 1; lines, empty ones included, and frames count.
  package var number: Int
  package var content: Content
  /// The person who sent it, as the transport has authenticated them. Nil for a stream that is trusted: then
  /// its `startWorkout` messages name the people.
  package var sender: String?
  /// A JSON object with the fields that the message itself does not state.
  package var sidecar: [UInt8]?

  package init(
    number: Int, content: Content, sender: String? = nil, sidecar: [UInt8]? = nil
  ) {
    self.number = number
    self.content = content
    self.sender = sender
    self.sidecar = sidecar
  }
}
