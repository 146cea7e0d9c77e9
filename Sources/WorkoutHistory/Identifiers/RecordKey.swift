import Motion

/// The name of a record for ever: the uuid or key of an exercise, a plan, a set, as `Record` says. One
/// kind's key is not accepted where another's is asked for.
///
/// Unlike a ``RowID`` it holds in every copy of a history. Any text is a key; one that names nothing is
/// not found. Code that handles records of every kind, such as ``SyncObject/key`` and
/// ``HistoryChange/key``, has plain text beside the kind: there the type could say nothing.
///
/// ```swift
/// let plan = try store.plans.plan("0F3A…")
/// let typed = WorkoutPlan.Key(textField.text)
/// ```
public struct RecordKey<Record>: RawRepresentable, Hashable, Sendable, Codable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

extension RecordKey: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension RecordKey: LosslessStringConvertible {
  public init(_ description: String) { self.init(rawValue: description) }

  public var description: String { rawValue }
}

extension RecordKey where Record == HistoryExerciseRow {
  /// The key of an exercise of the catalogue in a workout: its uuid.
  public init(_ exercise: CatalogExercise.Key) { self.init(rawValue: exercise.rawValue) }
}

extension RecordKey where Record == DeletedSamples {
  public init(_ set: HistorySetRow.Key) { self.init(rawValue: set.rawValue) }

  public init(_ recording: HistoryRecordingRow.Key) { self.init(rawValue: recording.rawValue) }
}

/// The ids of what a source hands over, as the history knows them.
extension SetIdentity {
  package var workoutKey: HistoryWorkoutRow.Key? { sessionId.map(RecordKey.init(_:)) }

  package var exerciseKey: HistoryExerciseRow.Key? { exerciseId.map(RecordKey.init(_:)) }

  package var setKey: HistorySetRow.Key? { setId.map(RecordKey.init(_:)) }
}
