import Motion

/// What belongs together in a stream and is under way.
package struct JournalSet: Sendable, Hashable {
  package enum Kind: Int, Sendable, Hashable {
    /// A declared set.
    case declared = 0
    /// Samples in which sets are to be found.
    case found = 1
    /// Samples between declared sets.
    case rest = 2
  }

  package enum State: Int, Sendable, Hashable {
    case open = 0
    /// The end of an input finalized it. It goes on when more comes.
    case cut = 1
    /// It has ended, and messages came later.
    case ended = 2
  }

  /// Its name in the stream.
  package var key: String
  package var kind: Kind
  package var identity: SetIdentity
  package var state = State.open
  /// Whether its samples begin in the history, and the journal's messages only go on from there.
  package var joinsHistory = false
  /// Whether the date that the history holds of it is that of a chunk's sending.
  package var isDatedBySending = false
  /// How far it was with the last of its messages, where it was read back; nil where that is not known.
  package internal(set) var progress: JournalProgress?

  package init(key: String, kind: Kind, identity: SetIdentity) {
    self.key = key
    self.kind = kind
    self.identity = identity
  }
}

/// How far a set under way has come.
package struct JournalProgress: Sendable, Hashable {
  /// Its ids as they are known by now.
  package var identity: SetIdentity
  package var samples = 0
  /// Of the newest sample that live detection has seen, s on the samples' clock; nil before the first.
  package var time: Double?
  package var clock = MotionClock.device
  /// The same in seconds since 1970, where it is known.
  package var unixTime: Double?

  package init(identity: SetIdentity) {
    self.identity = identity
  }
}

/// The state of live detection in a set under way, as the stream's engine wrote it.
package struct JournalSnapshot: Sendable, Hashable {
  /// The last message of the set that it knows.
  package var entry: Int64
  package var data: [UInt8]
}

/// A message as it was received, with what its context said about it.
package struct JournalEntry: Sendable {
  package var setKey: String
  /// Which of the messages in `data`, from 0.
  package var part: Int
  /// The ids that the set has with it.
  package var sessionId: String?
  package var exerciseId: String?
  package var phase: WorkoutPhase?
  /// Seconds since 1970 of the last control message before it.
  package var controlUnixTime: Double?
  /// A line without its end, or a binary frame.
  package var data: [UInt8]
  /// How far its set is with it.
  package var progress: JournalProgress?
  /// Its number in the journal, once it was read back.
  package internal(set) var id: Int64 = 0
  /// Whether it was read back with another checksum than it was written with.
  package internal(set) var isDamaged = false

  package init(
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
package struct JournalContext: Sendable, Hashable {
  package var session: String
  package var state: String

  package init(session: String, state: String) {
    self.session = session
    self.state = state
  }
}

/// Changes to a journal that are made together or not at all.
package struct JournalBatch: Sendable {
  /// Changes of messages before, made first and in order.
  package var preceding: [JournalBatch] = []
  /// Something that ended, or has changed since: it goes to the history and leaves the journal.
  package struct Finalized: Sendable {
    package var key: String
    package var recording: PreparedRecording
    /// What the journal keeps of it, where more may come: its messages stay in the journal unless
    /// the history holds all that they say.
    package var continuation: JournalSet?
    /// The person of its session; nil: as the history has the session, or else the local user.
    package var person: HistoryUser.Key?

    package init(key: String, recording: PreparedRecording, continuation: JournalSet? = nil) {
      self.key = key
      self.recording = recording
      self.continuation = continuation
    }
  }

  /// A step in the life of a workout, with the number of the input that asked for it.
  package struct WorkoutStep: Sendable {
    package var action: WorkoutAction
    package var line: Int

    package init(action: WorkoutAction, line: Int) {
      self.action = action
      self.line = line
    }
  }

  /// An event that readers are to get even if the program ends before it is written.
  package struct Event: Sendable {
    /// Grows with each event of a history.
    package var number: Int64
    /// In capitals; empty where there is none.
    package var session: String
    package var line: String

    package init(number: Int64, session: String, line: String) {
      self.number = number
      self.session = session
      self.line = line
    }
  }

  /// New names of sets, those of older programs before.
  package var renamedSets: [(old: String, new: String)] = []
  package var events: [Event] = []
  /// Events up to this one are written, and need not be kept.
  package var writtenEvents: Int64?
  /// In order; they are taken before anything is finalized, and again behind it if they were too early.
  package var workoutSteps: [WorkoutStep] = []
  /// New ones, and those whose kind has changed.
  package var sets: [JournalSet] = []
  package var entries: [JournalEntry] = []
  /// Of sets, by their keys, as they are with all entries: each takes the place of the one before.
  package var snapshots: [(set: String, data: [UInt8])] = []
  package var finalized: [Finalized] = []
  /// What came to nothing and leaves the journal.
  package var discarded: [String] = []
  package var contexts: [JournalContext] = []
  /// Sessions that are over, in capitals: what an earlier end of input cut of them has ended.
  package var endedSessions: [String] = []

  package init() {}

  package var isEmpty: Bool {
    workoutSteps.isEmpty && sets.isEmpty && entries.isEmpty && finalized.isEmpty
      && discarded.isEmpty && snapshots.isEmpty
      && contexts.isEmpty && endedSessions.isEmpty && events.isEmpty
      && writtenEvents == nil && renamedSets.isEmpty && preceding.isEmpty
  }
}

/// A recording of the history with the sets that were counted in it.
package struct FinalizedRecording: Sendable {
  package var recording: Recording
  /// In order of time; times in seconds on the samples' clock.
  package var sets: [CountedSet]
  /// Whether its session has declared sets.
  package var hasDeclaredNeighbors = false

  package init(recording: Recording, sets: [CountedSet]) {
    self.recording = recording
    self.sets = sets
  }
}
