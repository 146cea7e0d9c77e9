import HistorySync
import Motion
import TestSupport
import WorkoutHistory

// A history with many references between objects.
extension HistoryStore {
  package func liveInPages() throws {
    try catalog.save(CatalogExercise(uuid: "E1", name: "Bench press", muscleGroup: .chest))
    try plans.save(TrainingSplit(uuid: "S", name: "ABC"))
    let item = PlannedExercise(exercise: "E1", .repetitions(sets: 3, reps: 8, restTime: 90))
    var plan = WorkoutPlan(
      uuid: "P", title: "Monday", items: [PlanItem(uuid: "P1", .exercise(item))])
    plan.split = "S"
    try plans.save(plan)
    try save(
      Recording(
        name: "R", identity: SetIdentity(sessionId: "W", exerciseId: "E1"),
        samples: Example.samples()), sets: Example.twoSets)
  }

  /// Changes referenced objects after a sync, so that they are newer than the objects that refer to them.
  package func changeWhatOthersName() throws {
    try catalog.save(CatalogExercise(uuid: "E1", name: "Press", muscleGroup: .chest))
    try plans.save(TrainingSplit(uuid: "S", name: "AB"))
    for set in try sets(ofRecording: recordings()[0].id) { try correct(set: set.id, reps: 7) }
  }

  /// Returns whether all references equal the other copy's and every set has its samples.
  package func namesTheSame(as other: HistoryStore) throws -> Bool {
    let sets = try other.sets(ofRecording: other.recordings()[0].id)
    return try plans.plan("P")?.items == other.plans.plan("P")?.items
      && plans.plan("P")?.split == "S" && verify().isIntact && sets.count == 2
      && sets.allSatisfy { set in
        let mine = try self.set(set.key)
        return mine?.sampleCount == set.sampleCount && set.sampleCount > 0 && mine?.reps == 7
      }
  }
}
