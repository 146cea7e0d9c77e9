import Foundation
import Motion
import RecordingPipeline
import TimelineFormat
import WorkoutHistory

/// Sets of one or more people with all their samples, in one file.
///
/// A simple interface to the most common operations of a `HistoryStore`. For workouts, plans, statistics and
/// sync, use ``history``. Both may be used at the same time, from any thread and process.
///
/// ```swift
/// let store = try GymStore(at: .documentsDirectory.appending(path: "gym.sqlite"))
/// try store.save(GymSet(counted, samples: samples, person: "ana", date: .now))
/// for set in try store.sets(for: "ana") { print(set.exercise ?? "–", set.reps) }
/// ```
///
/// Methods throw `HistoryError`, or `RuleViolation` for an invalid value such as a negative weight.
public struct GymStore: Sendable {
  /// The history in the same file.
  public let history: HistoryStore

  /// Opens a store, creating the file if it does not exist.
  public init(at url: URL) throws {
    history = try HistoryStore(path: url.path, mode: .create)
  }

  /// Saves a new set with its samples, or changes to a set from this store.
  ///
  /// When the call returns, the set is durable, even after a crash or power loss. A failed call can be
  /// repeated; no set is saved twice. An exercise or date of nil leaves the stored value unchanged; weight,
  /// notes and corrected reps of nil remove it.
  public func save(_ set: GymSet) throws {
    if let counted = set.counted { try save(counted, of: set) }
    let row = try row(of: set)
    if let exercise = set.exercise, exercise != row.exerciseName ?? row.exerciseId?.rawValue {
      try history.setExercise(exercise, ofSet: row.id)
    }
    if set.weight != row.weight { try history.setWeight(set.weight, ofSet: row.id) }
    if set.notes ?? "" != row.notes ?? "" {
      try history.update(set: row.id, notes: set.notes ?? "")
    }
    if set.correctedReps != row.correctedReps {
      try history.correct(set: row.id, reps: set.correctedReps)
    }
    if let date = set.date, abs(date.timeIntervalSince(row.startTime ?? .distantPast)) >= 0.001 {
      try history.setDate(date, ofSet: row.id)
    }
  }

  private func save(_ counted: CountedSet, of set: GymSet) throws {
    let samples = set.samples
    var recording = Recording(
      name: set.id, identity: SetIdentity(setId: set.id), samples: samples)
    if let first = samples.times.first, let date = set.date {
      let lead = counted.start - first / samples.units.time.unitsPerSecond
      recording.unixTimeOfFirstSample = date.timeIntervalSince1970 - lead
    }
    let owner =
      try set.person.map { try history.users.findOrAdd(HistoryUser.Key($0)) }
      ?? HistoryUser.ID.local
    try history.save(recording, sets: [counted], provenance: .ofThisBuild(), user: owner)
  }

  /// Returns the sets of a person, the oldest first.
  ///
  /// - Parameter person: The name of the person; nil for the owner of the store.
  public func sets(for person: String? = nil) throws -> [GymSet] {
    guard let owner = try row(of: person) else { return [] }
    return try history.newestSets(of: owner, before: nil, limit: .max).reversed()
      .map { GymSet($0, person: person) }
      .sorted { $0.date ?? .distantPast < $1.date ?? .distantPast }
  }

  /// Returns the samples of a set, exactly as they were saved.
  public func samples(of set: GymSet) throws -> MotionBatch {
    let row = try row(of: set)
    // A set that was found in a longer recording is a part of it.
    guard row.setId != nil, let recording = row.recordingId else {
      return try history.timeline(ofSet: row.id).samples
    }
    return try history.samples(ofRecording: recording)
  }

  /// Returns the reps of a set as they were counted, in seconds on the clock of its samples.
  public func reps(of set: GymSet) throws -> [CountedRep] {
    try history.timeline(ofSet: row(of: set).id).set?.reps ?? []
  }

  /// Deletes a set with its samples permanently, in every synced copy.
  public func delete(_ set: GymSet) throws {
    try history.delete(set: row(of: set).id)
  }

  private func row(of person: String?) throws -> HistoryUser.ID? {
    guard let person else { return HistoryUser.ID.local }
    return try history.users.user(HistoryUser.Key(person))?.id
  }

  private func row(of set: GymSet) throws -> HistorySetRow {
    let key = HistorySetRow.Key(set.id)
    // A history also accepts the number of a set as its key.
    guard let owner = try row(of: set.person), let row = try history.set(key, user: owner),
      row.globalKey == key
    else { throw HistoryError.notFound(reference: "set \(set.id)") }
    return row
  }
}
