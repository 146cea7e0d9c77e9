import Foundation
import RepTrace

/// Applies a person's corrections to stored sets and reports implausible ones.
struct SetEditor {
  private let history: HistoryStore
  private let names: [String]
  private let spelling: @Sendable (String) -> String
  private let people: [HistoryUser.ID: String]
  private var warned: Set<String> = []
  private var changedUsers: Set<HistoryUser.ID> = []
  private(set) var changedSets = 0

  init(_ history: HistoryStore) throws {
    self.history = history
    names = try HistoryOpening.writing { try history.exerciseNames() }
    spelling = try HistoryOpening.spelling(in: history)
    people = try HistoryOpening.names(in: history)
  }

  /// Applies the fields that differ, and reports each change on standard error.
  mutating func apply(_ edit: SetEdit, to row: HistorySetRow) throws {
    try HistoryOpening.writing { try change(row, by: edit) }
  }

  private mutating func change(_ row: HistorySetRow, by edit: SetEdit) throws {
    var changes: [String] = []
    let id = row.id
    // Changes that may be rejected come first, so that a rejection leaves the set unchanged.
    if let exercise = edit.exercise.map({ spelling($0.trimmingCharacters(in: .whitespaces)) }),
      exercise != row.exerciseName ?? row.exerciseId?.rawValue
    {
      warnOfUnknown(exercise)
      try history.setExercise(exercise, ofSet: id)
      changes.append(exercise)
    }
    // Tables round to two decimals.
    if let weight = edit.weight, row.weight.map({ abs($0 - weight) >= 0.005 }) ?? true {
      try history.update(set: id, weight: weight)
      changes.append(SetList.weightText(weight) + " kg")
    }
    if let date = edit.date, abs(date.timeIntervalSince(row.startTime ?? .distantPast)) >= 1 {
      try history.setDate(date, ofSet: id)
      changes.append(DateText.local(date))
    }
    if let notes = edit.notes?.trimmingCharacters(in: .whitespacesAndNewlines),
      notes != row.notes ?? ""
    {
      try history.update(set: id, notes: notes)
      changes.append(notes.isEmpty ? "no notes" : "notes")
    }
    switch edit.reps {
    case .some(.count(let reps)) where reps != row.correctedReps:
      warnOfImprobable(reps, row)
      try history.correct(set: id, reps: reps)
      changes.append("\(counted(reps, "rep")) (the program counted \(row.detectedReps ?? 0))")
    case .some(.none) where row.correctedReps != nil:
      try history.correct(set: id, reps: nil)
      changes.append("\(counted(row.detectedReps ?? 0, "rep")), as the program counted")
    default: break
    }
    changedUsers.insert(row.user)
    if let person = edit.person, person != people[row.user] {
      let owner =
        try HistoryOpening.knownUser(person, in: history)
        ?? history.users.findOrAdd(HistoryUser.Key(person))
      if owner != row.user {
        _ = try RecordingMover().move(recordingOf: row, to: owner, in: history)
        changedUsers.insert(owner)
        changes.append("of \(person)")
      }
    }
    guard !changes.isEmpty else { return }
    changedSets += 1
    StandardStreams.note("set \(row.shortID): " + changes.joined(separator: ", "))
  }

  /// Updates the learned movements, which are derived from the sets.
  func finish() throws {
    for user in changedUsers.sorted(by: { $0.rawValue < $1.rawValue }) {
      try HistoryOpening.learnMovements(in: history, user: user)
    }
  }

  private mutating func warnOfUnknown(_ exercise: String) {
    let folded = exercise.foldedForSearch
    guard !names.isEmpty, !names.contains(where: { $0.foldedForSearch == folded }),
      warned.insert(folded).inserted
    else { return }
    StandardStreams.note(
      "warning: no exercise was called \"\(exercise)\" before"
        + names.nearest(to: exercise).suggestion)
  }

  /// Warns if the count is higher than anybody achieves in that time.
  private func warnOfImprobable(_ reps: Int, _ row: HistorySetRow) {
    guard let recording = row.recordingId,
      let seconds = try? history.recordings(damaged: { _ in }).first(where: { $0.id == recording })?
        .duration, seconds > 0
    else { return }
    let most = Int(seconds / DetectorConfiguration().shortestPeriodSeconds)
    guard reps > most else { return }
    StandardStreams.note(
      "warning: \(reps) reps do not fit into \(decimal(seconds, 0)) s of recording; \(most) would at most"
    )
  }
}
