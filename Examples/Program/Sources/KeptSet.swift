import Foundation
import RepTrace

/// Saves a newly counted set, corrects it, and deletes it again.
///
/// - Returns: The corrected count.
func keep(_ part: ProcessedRecording.Part, in store: GymStore) throws -> Int {
  var set = GymSet(part.sets[0], samples: part.recording.samples, person: "ana", date: .now)
  set.exercise = "Curl"
  set.weight = 12.5
  try store.save(set)

  guard var kept = try store.sets(for: "ana").first else { throw Difference() }
  kept.correctedReps = kept.reps + 1
  kept.notes = "one before the watch woke up"
  try store.save(kept)

  guard let corrected = try store.sets(for: "ana").first, corrected.notes == kept.notes,
    try store.samples(of: corrected).count == part.recording.samples.count
  else { throw Difference() }
  try store.delete(corrected)
  return corrected.reps
}

/// Receives a workout from the watch: its chunks as files, the last one first.
///
/// - Returns: The reps of its sets.
func receive(
  _ part: ProcessedRecording.Part, in folder: URL, _ store: GymStore
) async throws -> Int {
  let inbox = WorkoutInbox(folder: folder.appending(path: "inbox"), store: store)
  let before = try store.sets().reduce(0) { $0 + $1.reps }
  let samples = part.recording.samples
  let starts = Array(stride(from: 0, to: samples.count, by: 1000))
  for (number, start) in starts.enumerated().reversed() {
    let chunk = DecodedChunk(
      identity: SetIdentity(sessionId: "W"), chunkId: "W-\(number)",
      samples: samples[start..<min(start + 1000, samples.count)])
    guard let frame = BinaryFrame.encode(chunk) else { throw Difference() }
    let file = folder.appending(path: "received")
    try Data(frame).write(to: file)
    let isLast = number == starts.count - 1
    try inbox.keep(file, session: "W", number: number, count: isLast ? starts.count : nil)
    let sets = try await inbox.process(session: "W")
    guard (sets == nil) == (number > 0) else { throw Difference() }
  }
  return try store.sets().reduce(0) { $0 + $1.reps } - before
}
