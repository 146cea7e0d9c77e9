import ChunkDecoding
import Motion
import RepDetection
import WorkoutHistory

/// What a stream's engine does, and what it accepts at most.
public struct StreamOptions: Sendable {
  public var decoding = DecodingOptions()
  public var detector = DetectorConfiguration() {
    didSet { storage.provenance = .ofThisBuild(detector: detector) }
  }
  /// How long live detection waits for a missing chunk, in seconds of signal.
  public var gapWaitSeconds = 10.0
  /// Sets and sessions under way. Beyond it the one that was silent longest is finalized.
  public var liveSets = 20_000
  /// Sets that have ended and are kept in memory, for late chunks.
  public var endedSets = 2_000
  /// Samples in memory, compressed. Beyond it ended sets are let go, then the set that was silent
  /// longest is finalized.
  public var samples = 40_000_000
  /// Samples of one set or session; chunks beyond it are refused.
  public var samplesPerSet = 5_000_000
  /// Threads that decode, and threads that detect.
  public var workers = 2
  /// Samples of a set after which the journal gets the state of live detection anew: so many, and those
  /// of a batch, are counted once more where the set is taken up after a crash. Most sets are over
  /// before, and cost none.
  package var samplesBetweenSnapshots = 8192
  /// Whether there is a store: chunks are acknowledged, and finalized sets prepared for saving.
  public var keepsJournal = false
  public var acknowledgement = Acknowledgement.durable
  public var storage = StorageOptions()
  /// What is known of how the person moves.
  public var knownMovements = KnownMovements([])

  /// When a chunk is acknowledged.
  public enum Acknowledgement: String, Sendable, CaseIterable {
    /// Once it is in the journal.
    case durable
    /// Once what holds it is finalized, so that whoever sends it may be the journal.
    case finalized
  }

  public init() {
    decoding.limits.messageBytes = 4 << 20
    decoding.limits.samples = 100_000
  }
}

/// One message of a stream as it was received.
public struct StreamInput: Sendable {
  public enum Content: Sendable {
    /// A line without its end.
    case line([UInt8])
    /// A binary frame.
    case frame([UInt8])
    /// What was passed over because it was too long, or no frame.
    case refused(DecodingFailure)
  }

  /// From 1; lines, empty ones included, and frames count.
  public var number: Int
  public var content: Content

  public init(number: Int, content: Content) {
    self.number = number
    self.content = content
  }
}

/// Where a stream's journal, and what it has finalized, are kept beyond memory. Called from several
/// threads at once.
public protocol StreamArchive: Sendable {
  /// What something of the stream has become; nil where it is not known.
  func finalizedRecording(
    ofStreamed key: String, identity: SetIdentity
  ) throws -> FinalizedRecording?
  /// What was under way when the journal was written last.
  func journalSets() throws -> [JournalSet]
  func journalContexts() throws -> [JournalContext]
  /// What the end of an earlier input has cut; nil where it has not.
  func cutSet(_ key: String) throws -> JournalSet?
  /// The messages of a set, in the order in which they came.
  func forEachJournalEntry(ofSet key: String, _ body: (JournalEntry) throws -> Void) throws
  /// The last state of live detection in a set that was written; nil where there is none.
  func journalSnapshot(ofSet key: String) throws -> JournalSnapshot?
}

extension HistoryStore: StreamArchive {}
