import Foundation
import RepTrace

/// Performs a planned workout: the plan, the workout and its counts can be read back from the history.
///
/// - Returns: The reps of all sets of the workout.
func train(_ part: ProcessedRecording.Part, in store: HistoryStore) throws -> Int {
  let curl = CatalogExercise(uuid: "\(UUID())", name: "Curl", muscleGroup: .biceps)
  try store.catalog.save(curl)
  let item = PlannedExercise(exercise: curl.uuid, .repetitions(sets: 3, reps: 10, restTime: 60))
  let plan = try store.plans.save(
    WorkoutPlan(
      uuid: "\(UUID())", title: "Arms",
      items: [PlanItem(uuid: "\(UUID())", .exercise(item))]))

  let workout = try store.workouts.start("\(UUID())", plan: plan.uuid)
  try workout.startExercise(curl)
  let set: HistorySetRow.Key = "\(UUID())"
  try workout.startSet(set)
  var done = part.recording
  done.identity = SetIdentity(
    sessionId: workout.sessionId.rawValue, exerciseId: curl.uuid.rawValue, setId: set.rawValue)
  try store.save(done, sets: part.sets)
  try workout.endSet()
  try workout.end()

  guard let last = try store.workouts.workout(workout.sessionId), last.plan == plan.uuid,
    last.reps == part.sets.reduce(0, { $0 + $1.reps.count })
  else { throw Difference() }
  return last.reps
}
