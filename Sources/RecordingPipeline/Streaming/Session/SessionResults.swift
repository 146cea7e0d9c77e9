import Digests
import Motion
import RecordingInput
import TextFormats
import WorkoutHistory

/// The results of a session that were not taken yet, in order: a JSON object a line.
///
/// An object is an event of `reptrace stream` (`event`), a recording that was finalized, with its sets and its
/// samples as timelines (`recording`), or a statement of a message that a history keeps (`step`). Each has a
/// `number`, which grows by 1.
struct SessionResults {
  /// Number of results so far.
  var count = 0
  private var lines: [UInt8] = []
  private var timelines: [UInt8] = []

  mutating func take() -> (lines: [UInt8], timelines: [UInt8]) {
    defer { (lines, timelines) = ([], []) }
    return (lines, timelines)
  }

  mutating func add(_ event: StreamEvent) {
    count += 1
    add(event.line(number: Int64(count)))
  }

  private mutating func add(_ line: String) {
    lines += line.utf8
    lines.append(0x0A)
  }

  // MARK: - Recordings

  mutating func add(_ finalized: JournalBatch.Finalized) {
    count += 1
    let recording = finalized.recording
    let outline = recording.recording
    var object = JSONObjectText()
    object.add("recording", recording.key.rawValue)
    object.add("number", count)
    object.add("stream", finalized.key)
    object.add(outline.identity)
    if let person = finalized.person { object.add("userId", person.rawValue) }
    object.add("name", outline.name)
    object.add("digest", Self.hexadecimal(recording.digest))
    object.add("samples", recording.sampleCount)
    object.add("clock", outline.samples.clock.name)
    let times = outline.samples.timesSeconds
    object.add(exactly: "firstTime", times.first)
    object.add(exactly: "lastTime", times.last)
    object.add(exactly: "unixTime", times.first.flatMap { outline.unixTime(atSeconds: $0) })
    object.add("detector", recording.detector)
    object.add("isLossless", recording.isLossless)
    object.add(
      "sets", json: Self.list(recording.sets.map { Self.json($0.set, $0.key.rawValue, outline) }))
    object.add("segments", json: Self.list(recording.segments.map { json($0) }))
    add(object.text)
    for segment in recording.segments { timelines += segment.bytes }
  }

  private static func json(_ set: CountedSet, _ key: String, _ recording: Recording) -> String {
    var object = JSONObjectText()
    object.add("key", key)
    object.add("cause", set.cause.rawValue)
    object.add(exactly: "start", set.start)
    object.add(exactly: "end", set.end)
    object.add(exactly: "unixStart", recording.unixTime(atSeconds: set.start))
    object.add(exactly: "unixEnd", recording.unixTime(atSeconds: set.end))
    object.add("reps", set.reps.count)
    object.add(exactly: "confidence", set.confidence)
    object.add("repEvents", json: list(set.reps.map(json)))
    if !set.partialReps.isEmpty { object.add("partialReps", json: list(set.partialReps.map(json))) }
    return object.text
  }

  private static func json(_ rep: CountedRep) -> String {
    var object = JSONObjectText()
    object.add(exactly: "start", rep.start)
    object.add(exactly: "end", rep.end)
    object.add(exactly: "confidence", rep.confidence)
    return object.text
  }

  private func json(_ segment: PreparedRecording.Segment) -> String {
    var object = JSONObjectText()
    if let set = segment.set { object.add("set", set) }
    object.add("firstSample", segment.firstSample)
    object.add("samples", segment.sampleCount)
    object.add("digest", Self.hexadecimal(segment.digest))
    object.add("size", segment.bytes.count)
    return object.text
  }

  private static func list(_ items: [String]) -> String {
    "[" + items.joined(separator: ",") + "]"
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String { bytes.hexadecimalDigits }

  // MARK: - Steps

  mutating func add(_ step: JournalBatch.WorkoutStep) {
    count += 1
    let action = step.action
    var object = JSONObjectText()
    object.add("step", action.step.name)
    object.add("number", count)
    object.add("sessionId", action.session.rawValue)
    if let person = action.person ?? action.owner { object.add("userId", person.rawValue) }
    object.add(exactly: "unixTime", action.date)
    action.step.addDetails(to: &object)
    add(object.text)
  }
}

extension JSONObjectText {
  fileprivate mutating func add(_ identity: SetIdentity) {
    if let id = identity.setId { add("setId", id) }
    if let id = identity.exerciseId { add("exerciseId", id) }
    if let id = identity.sessionId { add("sessionId", id) }
  }

  /// Adds a number with all its digits, if there is one.
  fileprivate mutating func add(exactly key: String, _ value: Double?) {
    if let value, value.isFinite { add(key, json: "\(value)") }
  }

  fileprivate mutating func add(_ key: String, ifPresent text: String?) {
    if let text { add(key, text) }
  }
}

extension WorkoutAction.Step {
  fileprivate var name: String {
    switch self {
    case .startWorkout: "startWorkout"
    case .startExercise: "startExercise"
    case .startSet: "startSet"
    case .endSet: "endSet"
    case .noteStart: "noteStart"
    case .endExercise: "endExercise"
    case .health: "health"
    case .correct: "correctSet"
    case .endWorkout: "endWorkout"
    }
  }

  fileprivate func addDetails(to object: inout JSONObjectText) {
    switch self {
    case .startWorkout(let plan, _, _): object.add("planId", ifPresent: plan?.rawValue)
    case .startExercise(let exercise, _, let name):
      object.add("exerciseId", exercise.rawValue)
      object.add("exerciseName", ifPresent: name)
    case .startSet(let set, let exercise, let targetReps, let weight):
      object.add("setId", set.rawValue)
      object.add("exerciseId", ifPresent: exercise?.rawValue)
      if let targetReps { object.add("targetReps", targetReps) }
      object.add(exactly: "weight", weight)
    case .endSet(let set, let reps, let weight):
      object.add("setId", ifPresent: set?.rawValue)
      if let reps { object.add("reps", reps) }
      object.add(exactly: "weight", weight)
    case .noteStart(let set, let targetReps, let weight):
      object.add("setId", set.rawValue)
      if let targetReps { object.add("targetReps", targetReps) }
      object.add(exactly: "weight", weight)
    case .endExercise(let exercise): object.add("exerciseId", ifPresent: exercise?.rawValue)
    case .correct(let set, let reps, let exercise, let name):
      object.add("setId", set.rawValue)
      if let reps { object.add("reps", reps) }
      object.add("exerciseId", ifPresent: exercise?.rawValue)
      object.add("exerciseName", ifPresent: name)
    case .health, .endWorkout: break
    }
  }
}
