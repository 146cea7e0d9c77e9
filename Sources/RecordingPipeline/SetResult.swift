import Foundation
import Motion
import MovementAnalysis
import RecordingInput
import RepDetection
import TextFormats

/// One set in the output of `process`.
public struct SetResult: Sendable, Hashable {
  /// The recording's name: its path as given, or the folder of its chunk files.
  public var recording: String
  /// Number of the set in its recording, from 1.
  public var number: Int
  public var identity: SetIdentity
  public var cause: SetCause
  /// Time from the recording's first sample to the start of the first rep, in seconds.
  public var start: Double
  /// Time from the recording's first sample to the end of the last rep, in seconds.
  public var end: Double
  /// Reps, with times in seconds from the recording's first sample.
  public var reps: [CountedRep]
  /// Partial reps, with times in seconds from the recording's first sample.
  public var partialReps: [CountedRep]
  /// Calibrated probability that the count is exactly right.
  public var confidence: Double
  package var label = RecordingLabel()
  /// The most similar of the person's known exercises, if the set's exercise is not named.
  public var exerciseCandidate: ExerciseCandidate?

  /// Converts a counted set to times relative to its recording's first sample.
  ///
  /// - Parameter origin: Time of that sample on the samples' clock, in seconds.
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
    object.add([
      "exerciseCandidate": .json(exerciseCandidate?.json), "exercise": .text(label.exercise),
      "user": .text(label.user), "date": .text(label.date.map(DateText.iso8601)),
      "weight": .number(label.weight, decimals: 3), "labelledSet": .number(label.set),
      "labelledReps": .number(label.reps),
    ])
    return object.text
  }
}
