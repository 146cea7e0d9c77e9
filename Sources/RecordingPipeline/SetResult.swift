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
    let set = set.relative(to: origin)
    self.recording = recording
    self.number = number
    self.identity = identity
    cause = set.cause
    start = set.start
    end = set.end
    reps = set.reps
    partialReps = set.partialReps
    confidence = set.confidence
  }
}

extension SetResult {
  /// The set as one line of NDJSON, with the fields that scripts rely on, in a fixed order.
  package var jsonLine: String {
    let set = CountedSet(
      cause: cause, start: start, end: end, reps: reps, partialReps: partialReps,
      confidence: confidence)
    var object = JSONObjectText(set, recording: recording, number: number, identity: identity)
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
