import ChunkDecoding
import Motion
import MovementAnalysis
import RecordingInput
import RepDetection
import TextFormats
import WorkoutHistory

/// One line of a stream's output. `docs/stream-protocol.md` describes every field.
package struct StreamEvent: Sendable {
  package enum Kind: Sendable {
    case setStarted(cause: SetCause, start: Double?, isRecovered: Bool)
    case rep(count: Int, CountedRep)
    case repCorrected(count: Int)
    case partialRep(CountedRep)
    case phase(from: WorkoutPhase, to: WorkoutPhase)
    case setEnded(CountedSet)
    case setRevised(CountedSet, previousReps: Int)
    case setCancelled
    /// The last sample before the gap and the first one after it, in seconds on the samples' clock.
    case gap(start: Double, end: Double)
    /// The id of a chunk, or else its digest; for other messages, the message's id.
    case ack(chunkId: String?, sha256: String?, messageId: String?)
    case warning(kind: String, message: String)
    case error(kind: String, message: String, byteOffset: Int?)
  }

  package var kind: Kind
  package var identity: SetIdentity
  /// Number of a detected set in its session, from 1.
  package var setNumber: Int?
  /// For events about a set, its name in the history and the session's person.
  package var setKey: String?
  package var userId: String?
  /// Time of the sample that caused the event, in seconds on the samples' clock.
  package var time: Double?
  package var clock: MotionClock?
  /// Date of ``time``, in seconds since 1970; nil if unknown.
  package var unixTime: Double?
  /// Number of the input, for events about a single message.
  package var line: Int?
  /// The most similar of the person's known exercises, for an ended set without a named exercise.
  package var exerciseCandidate: ExerciseCandidate?

  package init(
    _ kind: Kind, identity: SetIdentity = SetIdentity(), setNumber: Int? = nil,
    time: Double? = nil, clock: MotionClock? = nil, unixTime: Double? = nil, line: Int? = nil
  ) {
    self.kind = kind
    self.identity = identity
    self.setNumber = setNumber
    self.time = time
    self.clock = clock
    self.unixTime = unixTime
    self.line = line
  }

  /// Creates the event that a declared set resumes after a restart.
  init(recovered progress: JournalProgress, key: StreamKey) {
    self.init(
      .setStarted(cause: .declared, start: nil, isRecovered: true), identity: progress.identity,
      time: progress.time, clock: progress.time == nil ? nil : progress.clock,
      unixTime: progress.unixTime)
    setKey = key.name(progress.identity, detected: nil)?.globalKey
  }

  /// The value of the `event` member.
  package var name: String {
    switch kind {
    case .setStarted: "setStarted"
    case .rep: "rep"
    case .repCorrected: "repCorrected"
    case .partialRep: "partialRep"
    case .phase: "phase"
    case .setEnded: "setEnded"
    case .setRevised: "setRevised"
    case .setCancelled: "setCancelled"
    case .gap: "gap"
    case .ack: "ack"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

extension StreamEvent {
  /// Number of decimals of times: microseconds, finer than any sensor's clock is accurate.
  private static let timeDecimals = 6

  /// True if readers must get the event even after a crash. Events about a single message are not kept;
  /// replaying the message emits them again.
  package var isKept: Bool {
    switch kind {
    case .ack, .error: false
    case .warning: line == nil
    default: true
    }
  }

  /// The event as a line of NDJSON, without line feed.
  package var jsonLine: String { line(number: nil) }

  /// Returns ``jsonLine`` with a number by which readers recognize an event that is delivered again.
  package func line(number: Int64?) -> String {
    var object = JSONObjectText([
      "event": .text(name), "number": .number(number.map { Int($0) }), "line": .number(line),
    ])
    if case .ack(let chunkId, let sha256, let messageId) = kind {
      object.add([
        "chunkId": .text(chunkId), "sha256": .text(sha256), "messageId": .text(messageId),
      ])
    }
    object.add(identity)
    object.add([
      "set": .number(setNumber), "setKey": .text(setKey), "userId": .text(userId),
      "time": Self.time(time), "clock": .text(clock?.name), "unixTime": Self.time(unixTime),
    ])
    addDetails(to: &object)
    return object.text
  }

  private func addDetails(to object: inout JSONObjectText) {
    switch kind {
    case .setStarted(let cause, let start, let isRecovered):
      object.add([
        "cause": .text(cause.rawValue), "start": Self.time(start),
        "recovered": .flag(isRecovered ? true : nil),
      ])
    case .rep(let count, let rep):
      object.add("count", .number(count))
      Self.add(rep, to: &object)
    case .partialRep(let rep): Self.add(rep, to: &object)
    case .repCorrected(let count): object.add("count", .number(count))
    case .phase(let from, let to):
      object.add(["from": .text(from.rawValue), "to": .text(to.rawValue)])
    case .setEnded(let set):
      object.add(set, decimals: Self.timeDecimals)
      object.add("exerciseCandidate", .json(exerciseCandidate?.json))
    case .setRevised(let set, let previous):
      object.add(set, decimals: Self.timeDecimals)
      object.add([
        "previousReps": .number(previous), "exerciseCandidate": .json(exerciseCandidate?.json),
      ])
    case .gap(let start, let end):
      object.add(["start": Self.time(start), "end": Self.time(end)])
    case .setCancelled, .ack: break
    case .warning(let kind, let message):
      object.add(["kind": .text(kind), "message": .text(message)])
    case .error(let kind, let message, let byteOffset):
      object.add([
        "kind": .text(kind), "message": .text(message), "byteOffset": .number(byteOffset),
      ])
    }
  }

  private static func add(_ rep: CountedRep, to object: inout JSONObjectText) {
    object.add([
      "confidence": .number(rep.confidence, decimals: 4), "repStart": time(rep.start),
      "repEnd": time(rep.end),
    ])
  }

  private static func time(_ seconds: Double?) -> JSONObjectText.Value {
    .number(seconds, decimals: timeDecimals)
  }
}
