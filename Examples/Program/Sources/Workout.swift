import Foundation
import RepTrace

/// Trains by a plan: what is planned, done and counted comes back from the history.
///
/// - Parameter recording: What the sensors saw of the set that is done.
/// - Returns: The reps of all sets of the workout.
func train(_ recording: Recording, sets: [CountedSet], in store: HistoryStore) throws -> Int {
  let curl = CatalogExercise(uuid: "\(UUID())", name: "Curl", muscleGroup: .biceps)
  try store.catalog.save(curl)
  let item = PlannedExercise(exercise: curl.uuid, .repetitions(sets: 3, reps: 10, restTime: 60))
  let plan = try store.plans.save(
    WorkoutPlan(
      uuid: "\(UUID())", title: "Arms",
      items: [PlanItem(uuid: "\(UUID())", .exercise(item))]))

  let workout = try store.workouts.start("\(UUID())", plan: plan.uuid)
  try workout.startExercise(HistoryExerciseRow.Key(curl.uuid), catalogExercise: curl.uuid)
  let set: HistorySetRow.Key = "\(UUID())"
  try workout.startSet(set)
  var done = recording
  done.identity = SetIdentity(
    sessionId: workout.sessionId.rawValue, exerciseId: curl.uuid.rawValue, setId: set.rawValue)
  try store.save(done, sets: sets)
  try workout.endSet()
  try workout.end()

  guard let last = try store.workouts.workout(workout.sessionId), last.plan == plan.uuid,
    last.reps == sets.reduce(0, { $0 + $1.reps.count }),
    try store.sync.changes().contains(where: {
      $0.entity == .workoutPlan && $0.key == plan.uuid.rawValue
    })
  else { throw Difference() }
  return last.reps
}
