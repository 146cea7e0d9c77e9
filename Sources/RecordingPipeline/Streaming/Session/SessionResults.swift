import Digests
import Motion
import RecordingInput
import TextFormats
import WorkoutHistory

/// The pending results of a session, in order: one JSON object per line.
///
/// An object is an event of `reptrace stream` (`event`), a finalized recording with its sets and its samples
/// as timelines (`recording`), or a statement for a history (`step`). Each has a consecutive `number`.
struct SessionResults {
  /// Number of results since the start of the session.
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
    var object = JSONObjectText([
      "recording": .text(recording.key.rawValue), "number": .number(count),
      "stream": .text(finalized.key),
    ])
    object.add(outline.identity)
    let times = outline.samples.timesSeconds
    object.add([
      "userId": .text(finalized.person?.rawValue), "name": .text(outline.name),
      "digest": .text(recording.digest.hexadecimalDigits),
      "samples": .number(recording.sampleCount), "clock": .text(outline.samples.clock.name),
      "firstTime": .exact(times.first), "lastTime": .exact(times.last),
      "unixTime": .exact(times.first.flatMap { outline.unixTime(atSeconds: $0) }),
      "detector": .text(recording.detector), "isLossless": .flag(recording.isLossless),
      "sets": .list(recording.sets.map { Self.json($0.set, $0.key.rawValue, outline) }),
      "segments": .list(recording.segments.map(Self.json)),
    ])
    add(object.text)
    for segment in recording.segments { timelines += segment.bytes }
  }

  private static func json(_ set: CountedSet, _ key: String, _ recording: Recording) -> String {
    let partial = JSONObjectText.array(set.partialReps.map(json))
    return JSONObjectText([
      "key": .text(key), "cause": .text(set.cause.rawValue), "start": .exact(set.start),
      "end": .exact(set.end), "unixStart": .exact(recording.unixTime(atSeconds: set.start)),
      "unixEnd": .exact(recording.unixTime(atSeconds: set.end)), "reps": .number(set.reps.count),
      "confidence": .exact(set.confidence), "repEvents": .list(set.reps.map(json)),
      "partialReps": .json(set.partialReps.isEmpty ? nil : partial),
    ]).text
  }

  private static func json(_ rep: CountedRep) -> String {
    JSONObjectText([
      "start": .exact(rep.start), "end": .exact(rep.end), "confidence": .exact(rep.confidence),
    ]).text
  }

  private static func json(_ segment: PreparedRecording.Segment) -> String {
    JSONObjectText([
      "set": .number(segment.set), "firstSample": .number(segment.firstSample),
      "samples": .number(segment.sampleCount), "digest": .text(segment.digest.hexadecimalDigits),
      "size": .number(segment.bytes.count),
    ]).text
  }

  // MARK: - Steps

  mutating func add(_ step: JournalBatch.WorkoutStep) {
    count += 1
    let action = step.action
    var object = JSONObjectText([
      "step": .text(action.step.name), "number": .number(count),
      "sessionId": .text(action.session.rawValue),
      "userId": .text((action.person ?? action.owner)?.rawValue), "unixTime": .exact(action.date),
    ])
    object.add(action.step.details)
    add(object.text)
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

  fileprivate var details: KeyValuePairs<String, JSONObjectText.Value> {
    switch self {
    case .startWorkout(let plan, _, _): ["planId": .text(plan?.rawValue)]
    case .startExercise(let exercise, _, let name):
      ["exerciseId": .text(exercise.rawValue), "exerciseName": .text(name)]
    case .startSet(let set, let exercise, let targetReps, let weight):
      [
        "setId": .text(set.rawValue), "exerciseId": .text(exercise?.rawValue),
        "targetReps": .number(targetReps), "weight": .exact(weight),
      ]
    case .endSet(let set, let reps, let weight):
      ["setId": .text(set?.rawValue), "reps": .number(reps), "weight": .exact(weight)]
    case .noteStart(let set, let targetReps, let weight):
      ["setId": .text(set.rawValue), "targetReps": .number(targetReps), "weight": .exact(weight)]
    case .endExercise(let exercise): ["exerciseId": .text(exercise?.rawValue)]
    case .correct(let set, let reps, let exercise, let name):
      [
        "setId": .text(set.rawValue), "reps": .number(reps),
        "exerciseId": .text(exercise?.rawValue), "exerciseName": .text(name),
      ]
    case .health, .endWorkout: [:]
    }
  }
}
