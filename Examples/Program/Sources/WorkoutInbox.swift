import Foundation
import RepTrace

/// The watch's chunk files on the phone, until their workout is complete and stored.
actor WorkoutInbox {
  private let folder: URL
  private let store: GymStore

  init(folder: URL, store: GymStore) {
    self.folder = folder
    self.store = store
  }

  /// Stores a received file. Files may arrive in any order, and more than once.
  ///
  /// - Parameter count: The number of files of the session, which only the last file states.
  nonisolated func keep(_ file: URL, session: String, number: Int, count: Int?) throws {
    let folder = folder.appending(path: session)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let target = folder.appending(path: "\(number).frames")
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.moveItem(at: file, to: target)
    if let count { try Data("\(count)".utf8).write(to: folder.appending(path: "count")) }
  }

  /// Counts and stores a session if all its files are there, and removes them.
  ///
  /// - Returns: The number of sets; nil if files are missing.
  @discardableResult
  func process(session: String) async throws -> Int? {
    let folder = folder.appending(path: session)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard let text = try? String(contentsOf: folder.appending(path: "count"), encoding: .utf8),
      let count = Int(text), names.count == count + 1
    else { return nil }
    let paths = (0..<count).map { folder.appending(path: "\($0).frames").path }
    var sets = 0
    try await ProcessingPipeline().run(paths: paths) { outcome in
      guard case .recording(let recording) = outcome else { return }
      for part in recording.parts {
        try store.history.save(part.recording, sets: part.sets)
        sets += part.sets.count
      }
    }
    try FileManager.default.removeItem(at: folder)
    return sets
  }
}
