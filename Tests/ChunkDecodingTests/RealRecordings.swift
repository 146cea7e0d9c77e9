import Foundation

/// The real recordings next to the project, if present.
enum RealRecordings {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/datasets")

  static var exist: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static func files(_ path: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: path), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "csv" }.sorted { $0.path < $1.path }
  }
}
