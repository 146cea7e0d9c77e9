import RepTrace

/// Counts recordings on the main actor, which receives results without changing threads.
@MainActor
final class CountModel {
  private(set) var reps: [String: Int] = [:]

  func count(_ paths: [String]) async throws {
    try await ProcessingPipeline().run(paths: paths) { outcome in
      guard case .recording(let recording) = outcome else { return }
      reps[recording.name] = recording.results.reduce(0) { $0 + $1.reps.count }
    }
  }
}
