import Motion

/// A set or rest in progress in a stream: a group of messages that is finalized together.
package struct JournalSet: Sendable, Hashable {
  package enum Kind: Int, Sendable, Hashable {
    case declared = 0
    /// Samples in which sets are to be detected.
    case found = 1
    /// Samples between declared sets.
    case rest = 2
  }

  package enum State: Int, Sendable, Hashable {
    case open = 0
    /// Finalized by the end of an input, but continues if more messages arrive.
    case cut = 1
    /// Ended, but late messages have arrived since.
    case ended = 2
  }

  package var key: String
  package var kind: Kind
  package var identity: SetIdentity
  package var state = State.open
  /// True if its first samples are in the history, and the journal's messages continue from there.
  package var joinsHistory = false
  /// True if the history dates it by the time of sending of a chunk.
  package var isDatedBySending = false
  package internal(set) var progress: JournalProgress?

  package init(key: String, kind: Kind, identity: SetIdentity) {
    self.key = key
    self.kind = kind
    self.identity = identity
  }
}

package struct JournalProgress: Sendable, Hashable {
  package var identity: SetIdentity
  package var samples = 0
  /// Time of the newest sample that live detection has processed, in seconds on the samples' clock.
  package var time: Double?
  package var clock = MotionClock.device
  package var unixTime: Double?

  package init(identity: SetIdentity) {
    self.identity = identity
  }
}

package struct JournalSnapshot: Sendable, Hashable {
  /// The last message included in the state.
  package var entry: Int64
  package var data: [UInt8]
}

/// A message as received, with its context.
package struct JournalEntry: Sendable {
  package var setKey: String
  package var part: Int
  /// The ids of the set as of this message.
  package var sessionId: String?
  package var exerciseId: String?
  package var phase: WorkoutPhase?
  /// Date of the last control message before this one, in seconds since 1970.
  package var controlUnixTime: Double?
  /// A line without its line end, or a binary frame.
  package var data: [UInt8]
  package var progress: JournalProgress?
  package internal(set) var id: Int64 = 0
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

/// The state of a session's control messages so far, as encoded by the stream's engine.
package struct JournalContext: Sendable, Hashable, Decodable {
  package var session: String
  package var state: String

  package init(session: String, state: String) {
    self.session = session
    self.state = state
  }
}

/// Changes to a journal that are applied together or not at all.
package struct JournalBatch: Sendable {
  /// Batches of earlier messages, applied first and in order.
  package var preceding: [JournalBatch] = []
  /// A set or rest that ended or was changed afterwards. It moves from the journal to the history.
  package struct Finalized: Sendable {
    package var key: String
    package var recording: PreparedRecording
    /// The remainder that stays in the journal if more messages may come.
    package var continuation: JournalSet?
    /// The person of the session; nil to use the stored one, or else the local user.
    package var person: HistoryUser.Key?

    package init(key: String, recording: PreparedRecording, continuation: JournalSet? = nil) {
      self.key = key
      self.recording = recording
      self.continuation = continuation
    }
  }

  /// A step in the life of a workout, with the number of the input line that requested it.
  package struct WorkoutStep: Sendable {
    package var action: WorkoutAction
    package var line: Int

    package init(action: WorkoutAction, line: Int) {
      self.action = action
      self.line = line
    }
  }

  /// An event that must be delivered even if the program ends before writing it.
  package struct Event: Sendable, Decodable {
    package var number: Int64
    /// The session's id in capitals; empty if there is none.
    package var session: String
    package var line: String

    package init(number: Int64, session: String, line: String) {
      self.number = number
      self.session = session
      self.line = line
    }
  }

  /// Sets that began without a session and have one now.
  package var renamedSets: [(old: String, new: String)] = []
  package var events: [Event] = []
  /// The number of the last written event. Events up to this one can be dropped.
  package var writtenEvents: Int64?
  /// Workout steps in order, performed before anything is finalized, and afterwards if they were too early.
  package var workoutSteps: [WorkoutStep] = []
  /// New sets, and sets whose kind has changed.
  package var sets: [JournalSet] = []
  package var entries: [JournalEntry] = []
  /// Snapshots by the sets' keys, taken after all entries. Each replaces the previous one.
  package var snapshots: [(set: String, data: [UInt8])] = []
  package var finalized: [Finalized] = []
  /// Keys of empty sets, which are removed from the journal.
  package var discarded: [String] = []
  package var contexts: [JournalContext] = []
  /// Ids of ended sessions, in capitals. Sets of theirs that an earlier end of input cut have ended.
  package var endedSessions: [String] = []

  package init() {}

  package var isEmpty: Bool {
    workoutSteps.isEmpty && sets.isEmpty && entries.isEmpty && finalized.isEmpty
      && discarded.isEmpty && snapshots.isEmpty
      && contexts.isEmpty && endedSessions.isEmpty && events.isEmpty
      && writtenEvents == nil && renamedSets.isEmpty && preceding.isEmpty
  }
}

package struct FinalizedRecording: Sendable {
  package var recording: Recording
  package var sets: [CountedSet]
  /// True if its session has declared sets.
  package var hasDeclaredNeighbors = false
}
