import Motion

/// What belongs together in a stream and is under way.
public struct JournalSet: Sendable, Hashable {
  public enum Kind: Int, Sendable, Hashable {
    /// A declared set.
    case declared = 0
    /// Samples in which sets are to be found.
    case found = 1
    /// Samples between declared sets.
    case rest = 2
  }

  public enum State: Int, Sendable, Hashable {
    case open = 0
    /// The end of an input finalized it. It goes on when more comes.
    case cut = 1
    /// It has ended, and messages came later.
    case ended = 2
  }

  /// Its name in the stream.
  public var key: String
  public var kind: Kind
  public var identity: SetIdentity
  public var state = State.open
  /// Whether its samples begin in the history, and the journal's messages only go on from there.
  public var joinsHistory = false
  /// Whether the date that the history holds of it is that of a chunk's sending.
  public var isDatedBySending = false
  /// How far it was with the last of its messages, where it was read back; nil where that is not known.
  public internal(set) var progress: JournalProgress?

  public init(key: String, kind: Kind, identity: SetIdentity) {
    self.key = key
    self.kind = kind
    self.identity = identity
  }
}

/// How far a set under way has come.
public struct JournalProgress: Sendable, Hashable {
  /// Its ids as they are known by now.
  public var identity: SetIdentity
  public var samples = 0
  /// Of the newest sample that live detection has seen, s on the samples' clock; nil before the first.
  public var time: Double?
  public var clock = MotionClock.device
  /// The same in seconds since 1970, where it is known.
  public var unixTime: Double?

  public init(identity: SetIdentity) {
    self.identity = identity
  }
}

/// The state of live detection in a set under way, as the stream's engine wrote it.
public struct JournalSnapshot: Sendable, Hashable {
  /// The last message of the set that it knows.
  public var entry: Int64
  public var data: [UInt8]
}

/// A message as it was received, with what its context said about it.
public struct JournalEntry: Sendable {
  public var setKey: String
  /// Which of the messages in `data`, from 0.
  public var part: Int
  /// The ids that the set has with it.
  public var sessionId: String?
  public var exerciseId: String?
  public var phase: WorkoutPhase?
  /// Seconds since 1970 of the last control message before it.
  public var controlUnixTime: Double?
  /// A line without its end, or a binary frame.
  public var data: [UInt8]
  /// How far its set is with it.
  public var progress: JournalProgress?
  /// Its number in the journal, once it was read back.
  public internal(set) var id: Int64 = 0
  /// Whether it was read back with another checksum than it was written with.
  public internal(set) var isDamaged = false

  public init(
    setKey: String, part: Int, sessionId: String?, exerciseId: String?, phase: WorkoutPhase?,
    controlUnixTime: Double?, data: [UInt8]
  ) {
    self.setKey = setKey
    self.part = part
    self.sessionId = sessionId
    self.exerciseId = exerciseId
    self.phase = phase
    self.controlUnixTime = controlUnixTime
    self.data = data
  }
}

/// What the control messages of a session said so far, as the stream's engine wrote it.
public struct JournalContext: Sendable, Hashable {
  public var session: String
  public var state: String

  public init(session: String, state: String) {
    self.session = session
    self.state = state
  }
}

/// Changes to a journal that are made together or not at all.
public struct JournalBatch: Sendable {
  /// Something that ended, or has changed since: it goes to the history and leaves the journal.
  public struct Finalized: Sendable {
    public var key: String
    public var recording: PreparedRecording
    /// What the journal keeps of it, where more may come: its messages stay in the journal unless
    /// the history holds all that they say.
    public var continuation: JournalSet?

    public init(key: String, recording: PreparedRecording, continuation: JournalSet? = nil) {
      self.key = key
      self.recording = recording
      self.continuation = continuation
    }
  }

  /// A step in the life of a workout, with the number of the input that asked for it.
  public struct WorkoutStep: Sendable {
    public var action: WorkoutAction
    public var line: Int

    public init(action: WorkoutAction, line: Int) {
      self.action = action
      self.line = line
    }
  }

  /// An event that readers are to get even if the program ends before it is written.
  public struct Event: Sendable {
    /// Grows with each event of a history.
    public var number: Int64
    /// In capitals; empty where there is none.
    public var session: String
    public var line: String

    public init(number: Int64, session: String, line: String) {
      self.number = number
      self.session = session
      self.line = line
    }
  }

  /// New names of sets, those of older programs before.
  public var renamedSets: [(old: String, new: String)] = []
  public var events: [Event] = []
  /// Events up to this one are written, and need not be kept.
  public var writtenEvents: Int64?
  /// In order; they are taken before anything is finalized.
  public var workoutSteps: [WorkoutStep] = []
  /// New ones, and those whose kind has changed.
  public var sets: [JournalSet] = []
  public var entries: [JournalEntry] = []
  /// Of sets, by their keys, as they are with all entries: each takes the place of the one before.
  public var snapshots: [(set: String, data: [UInt8])] = []
  public var finalized: [Finalized] = []
  /// What came to nothing and leaves the journal.
  public var discarded: [String] = []
  public var contexts: [JournalContext] = []
  /// Sessions whose contexts are no longer needed.
  public var endedContexts: [String] = []
  /// Sessions that are over, in capitals: what an earlier end of input cut of them has ended.
  public var endedSessions: [String] = []

  public init() {}

  public var isEmpty: Bool {
    workoutSteps.isEmpty && sets.isEmpty && entries.isEmpty && finalized.isEmpty
      && discarded.isEmpty && snapshots.isEmpty
      && contexts.isEmpty && endedContexts.isEmpty && endedSessions.isEmpty && events.isEmpty
      && writtenEvents == nil && renamedSets.isEmpty
  }
}
