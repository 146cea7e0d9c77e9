import Foundation
import RepTrace

let paths = Array(CommandLine.arguments.dropFirst())
let model = CountModel()
try await model.count(paths)

// The same from top-level code, with a closure that holds another, into a history.
let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
defer { try? FileManager.default.removeItem(at: file) }
let store = try HistoryStore(path: file.path, mode: .create)
var reps: [String: Int] = [:]
var first: ProcessedRecording.Part?
let note = { (name: String, count: Int) in reps[name] = count }
try await ProcessingPipeline().run(paths: paths) { outcome in
  guard case .recording(let recording) = outcome else { return }
  for part in recording.parts { try store.save(part.recording, sets: part.sets) }
  first = first ?? recording.parts.first { $0.sets.count == 1 }
  note(recording.name, recording.results.reduce(0) { $0 + $1.reps.count })
}
for (name, count) in reps.sorted(by: { $0.key < $1.key }) { print("\(name): \(count) reps") }
print("in the history: \(try store.sets().reduce(0) { $0 + $1.reps }) reps")
if let first {
  print("in a workout by a plan: \(try train(first.recording, sets: first.sets, in: store)) reps")
}
guard reps == model.reps, !reps.isEmpty else { throw Difference() }

struct Difference: Error {}
