import Foundation
import Motion
import RecordingPipeline
import TimelineFormat
import WorkoutHistory

/// Sets of one or several people with all their samples, in one file.
///
/// This is the usual part of a `HistoryStore`, which ``history`` gives for everything else: workouts, plans,
/// statistics, sync. Both may be used at the same time, from any thread and process.
///
/// ```swift
/// let store = try GymStore(at: .documentsDirectory.appending(path: "gym.sqlite"))
/// try store.save(GymSet(counted, samples: samples, person: "ana", date: .now))
/// for set in try store.sets(for: "ana") { print(set.exercise ?? "–", set.reps) }
/// ```
///
/// Calls throw `HistoryError`, and `RuleViolation` for a value that cannot be, such as a negative weight.
public struct GymStore: Sendable {
  /// The history in the same file.
  public let history: HistoryStore

  /// Opens a store, and creates the file if it does not exist.
  public init(at url: URL) throws {
    history = try HistoryStore(path: url.path, mode: .create)
  }

  /// Saves a new set with its samples, or the changes of a set from this store.
  ///
  /// When the call returns, the set survives a crash and the loss of power. If it fails, it can be repeated: a set is
  /// never saved twice. An exercise or a date of nil leaves what is stored; weight, notes and corrected
  /// reps of nil remove it.
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

  /// The sets of a person, the oldest first.
  ///
  /// - Parameter person: The name of the person; nil for the owner of the store.
  /// - Returns: Nothing for a person without sets.
  public func sets(for person: String? = nil) throws -> [GymSet] {
    guard let owner = try row(of: person) else { return [] }
    return try history.newestSets(of: owner, before: nil, limit: .max).reversed()
      .map { GymSet($0, person: person) }
      .sorted { $0.date ?? .distantPast < $1.date ?? .distantPast }
  }

  /// The samples of a set, exactly as they were saved.
  public func samples(of set: GymSet) throws -> MotionBatch {
    let row = try row(of: set)
    // A set that was found in a longer recording has a part of it.
    guard row.setId != nil, let recording = row.recordingId else {
      return try history.timeline(ofSet: row.id).samples
    }
    return try history.samples(ofRecording: recording)
  }

  /// The reps of a set as they were counted, in seconds on the clock of its samples.
  public func reps(of set: GymSet) throws -> [CountedRep] {
    try history.timeline(ofSet: row(of: set).id).set?.reps ?? []
  }

  /// Deletes a set with its samples for good, in every copy that is synced.
  public func delete(_ set: GymSet) throws {
    try history.delete(set: row(of: set).id)
  }

  private func row(of person: String?) throws -> HistoryUser.ID? {
    guard let person else { return HistoryUser.ID.local }
    return try history.users.user(HistoryUser.Key(person))?.id
  }

  private func row(of set: GymSet) throws -> HistorySetRow {
    let key = HistorySetRow.Key(set.id)
    // A history also finds sets by their number, which is no id.
    guard let owner = try row(of: set.person), let row = try history.set(key, user: owner),
      row.globalKey == key
    else { throw HistoryError.notFound(reference: "set \(set.id)") }
    return row
  }
}
