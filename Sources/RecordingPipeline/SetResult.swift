import Foundation
import Motion
import RecordingInput
import RepDetection
import TextFormats

/// What `process` says about one set: the figures of its line of output.
public struct SetResult: Sendable, Hashable {
  /// The recording's name: its path as given, or the folder of its chunk files.
  public var recording: String
  /// 1, 2, … in that recording.
  public var number: Int
  public var identity: SetIdentity
  public var cause: SetCause
  /// Seconds from the recording's first sample to the begin of the first rep.
  public var start: Double
  /// Seconds from the recording's first sample to the end of the last rep.
  public var end: Double
  /// Times in seconds from the recording's first sample.
  public var reps: [CountedRep]
  /// Times in seconds from the recording's first sample.
  public var partialReps: [CountedRep]
  /// The calibrated probability that the count is exactly right.
  public var confidence: Double
  /// What is known of its recording beside the samples.
  package var label = RecordingLabel()
  /// The exercise that it resembles most, where nobody says which it was and some are known of the
  /// person.
  public var exerciseCandidate: ExerciseCandidate?

  /// A counted set as seen from the first sample of its recording.
  ///
  /// - Parameter origin: the time of that sample on the samples' clock, in seconds.
  package init(
    _ set: CountedSet, recording: String, number: Int, identity: SetIdentity, origin: Double
  ) {
    func shifted(_ rep: CountedRep) -> CountedRep {
      CountedRep(start: rep.start - origin, end: rep.end - origin, confidence: rep.confidence)
    }
    self.recording = recording
    self.number = number
    self.identity = identity
    cause = set.cause
    start = set.start - origin
    end = set.end - origin
    reps = set.reps.map(shifted)
    partialReps = set.partialReps.map(shifted)
    confidence = set.confidence
  }
}

extension SetResult {
  /// The set as one line of NDJSON, with the fields that scripts rely on, in a fixed order.
  package var jsonLine: String {
    var object = JSONObjectText()
    object.add("recording", recording)
    object.add("set", number)
    if let id = identity.setId { object.add("setId", id) }
    if let id = identity.exerciseId { object.add("exerciseId", id) }
    if let id = identity.sessionId { object.add("sessionId", id) }
    object.add("cause", cause.rawValue)
    object.add("start", start, decimals: 3)
    object.add("end", end, decimals: 3)
    object.add("reps", reps.count)
    object.add("confidence", confidence, decimals: 4)
    object.add("repEvents", json: reps.json(decimals: 3))
    if !partialReps.isEmpty { object.add("partialReps", json: partialReps.json(decimals: 3)) }
    if let exerciseCandidate { object.add("exerciseCandidate", json: exerciseCandidate.json) }
    if let exercise = label.exercise { object.add("exercise", exercise) }
    if let user = label.user { object.add("user", user) }
    if let date = label.date { object.add("date", DateText.iso8601(date)) }
    if let weight = label.weight { object.add("weight", weight, decimals: 3) }
    if let set = label.set { object.add("labelledSet", set) }
    if let reps = label.reps { object.add("labelledReps", reps) }
    return object.text
  }
}
