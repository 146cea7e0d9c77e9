import Foundation
import TestSupport
import Testing

/// One run of the command as a user starts it.
struct ReptraceRun {
  var status: Int32
  var output: String
  var errors: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The lines of standard output as JSON objects.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Runs `reptrace` with these arguments, in a folder.
  ///
  /// - Parameter shell: a line of a shell that runs it, as `"$0" "$@"`.
  init(
    _ arguments: [String], in folder: URL? = nil, input: Data = Data(), shell: String? = nil
  ) throws {
    let process = Process()
    process.executableURL = try Self.executable()
    process.arguments = arguments
    if let shell {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", shell, try Self.executable().path] + arguments
    }
    if let folder { process.currentDirectoryURL = folder }
    // Files rather than pipes: nothing blocks, however much is written.
    let scratch = try ScratchFolder()
    let inputURL = scratch.url.appendingPathComponent("input")
    let outputURL = scratch.url.appendingPathComponent("output")
    let errorsURL = scratch.url.appendingPathComponent("errors")
    try input.write(to: inputURL)
    try Data().write(to: outputURL)
    try Data().write(to: errorsURL)
    process.standardInput = try FileHandle(forReadingFrom: inputURL)
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorsURL)
    try process.run()
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -1
    output = String(decoding: try Data(contentsOf: outputURL), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: errorsURL), as: UTF8.self)
  }

  /// The command as it was built beside the tests.
  static func executable() throws -> URL {
    try #require(builtCommand(), "the command is built with the tests")
  }
}

/// A folder that goes when the test does.
final class ScratchFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("reptrace-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  @discardableResult
  func write(_ text: String, to path: String) throws -> String {
    try write(Data(text.utf8), to: path)
  }

  @discardableResult
  func write(_ data: Data, to path: String) throws -> String {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// The package's own folder.
enum PackageFolder {
  static func path(_ name: String) -> String { packageRoot.appendingPathComponent(name).path }

  /// A recording of the fixtures, by its name.
  static func recording(_ name: String) -> String {
    fixtureRecordings.appendingPathComponent(name).path
  }
}
