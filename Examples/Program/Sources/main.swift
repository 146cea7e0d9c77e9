import Foundation
import RepTrace

let paths = Array(CommandLine.arguments.dropFirst())
let model = CountModel()
try await model.count(paths)

// Counts in top-level code as well, with nested closures, and into a store.
let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let store = try GymStore(at: folder.appending(path: "gym.sqlite"))
var reps: [String: Int] = [:]
var first: ProcessedRecording.Part?
let note = { (name: String, count: Int) in reps[name] = count }
try await ProcessingPipeline().run(paths: paths) { outcome in
  guard case .recording(let recording) = outcome else { return }
  for part in recording.parts { try store.history.save(part.recording, sets: part.sets) }
  first = first ?? recording.parts.first { $0.sets.count == 1 }
  note(recording.name, recording.results.reduce(0) { $0 + $1.reps.count })
}
for (name, count) in reps.sorted(by: { $0.key < $1.key }) { print("\(name): \(count) reps") }
print("in the store: \(try store.sets().reduce(0) { $0 + $1.reps }) reps")
guard reps == model.reps, let first else { throw Difference() }
print("in a workout by a plan: \(try train(first, in: store.history)) reps")
print("kept and corrected: \(try keep(first, in: store)) reps")
print("from the watch: \(try await receive(first, in: folder, store)) reps")

struct Difference: Error {}
