import ChunkDecoding
import Motion
import RepDetection
import WorkoutHistory

/// Behavior and limits of a stream's engine.
package struct StreamOptions: Sendable {
  package var decoding = DecodingOptions()
  package var detector = DetectorConfiguration() {
    didSet { storage.provenance = .ofThisBuild(detector: detector) }
  }
  /// Maximum time that live detection waits for a missing chunk, in seconds of signal.
  package var gapWaitSeconds = 10.0
  /// Maximum number of open sets and sessions. Beyond it the least recently active one is finalized.
  package var liveSets = 20_000
  /// Maximum number of ended sets kept in memory for late chunks. With a store, sets that ended or changed
  /// in the last six batches are kept beyond that, since only older ones are certain to be in the store.
  package var endedSets = 2_000
  /// Maximum number of samples and health readings in memory. Beyond it ended sets are evicted first, then
  /// the least recently active set is finalized.
  package var samples = 40_000_000
  /// Maximum number of samples in one set or session; chunks beyond it are refused.
  package var samplesPerSet = 5_000_000
  /// Number of threads that decode, and of threads that detect.
  package var workers = 2
  /// Number of samples of a set between snapshots of live detection in the journal. After a crash at most
  /// this many samples, and those of one batch, are counted again. Most sets end before their first snapshot.
  package var samplesBetweenSnapshots = 8192
  /// True if there is a store: chunks are acknowledged, and final sets are prepared for storage.
  package var keepsJournal = false
  /// True if the caller saves the engine's whole state with its results (``StreamSession``). Then nothing is
  /// acknowledged, and ended sets leave memory at once.
  package var isSession = false
  package var acknowledgement = Acknowledgement.durable
  /// True if a sender may restart at any earlier message; false if each message is answered individually,
  /// so that only unanswered ones are sent again.
  package var replaysInput = true
  /// Claims an unknown session for its first sender. Returns false if it belongs to another person.
  package var claimsSession: @Sendable (_ session: String, _ person: String) -> Bool = { _, _ in
    true
  }
  package var storage = StorageOptions()
  /// Known movements of the people.
  package var knownMovements: MovementCache?

  /// The time at which a chunk is acknowledged.
  package enum Acknowledgement: String, Sendable, CaseIterable {
    /// Once the chunk is in the journal.
    case durable
    /// Once the set that contains the chunk is final, so that the sender can serve as the journal.
    case finalized
  }

  package init() {
    decoding.limits.messageBytes = 4 << 20
    decoding.limits.samples = 100_000
  }
}

/// One message of a stream, as received.
package struct StreamInput: Sendable {
  package enum Content: Sendable {
    /// A line without its end.
    case line([UInt8])
    /// A binary frame.
    case frame([UInt8])
    /// Skipped input: too long, or not a frame.
    case refused(DecodingFailure)
  }

  /// The number of the line or frame, from 1. Empty lines count.
  package var number: Int
  package var content: Content
  /// The person who sent the message, as authenticated by the transport; nil for a trusted stream, in which
  /// `startWorkout` messages name the people.
  package var sender: String?
  /// A JSON object with fields that the message itself does not state.
  package var sidecar: [UInt8]?

  package init(number: Int, content: Content, sender: String? = nil, sidecar: [UInt8]? = nil) {
    self.number = number
    self.content = content
    self.sender = sender
    self.sidecar = sidecar
  }
}
