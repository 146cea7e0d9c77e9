import Foundation
import TestSupport
import Testing

/// One run of the command, as started by a user.
struct ReptraceRun {
  var status: Int32
  var output: String
  var errors: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Returns the lines of standard output as JSON objects.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Runs `reptrace` with these arguments, in a folder.
  ///
  /// - Parameter shell: A shell command line that runs it, as `"$0" "$@"`.
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
    // Use files rather than pipes, so that no amount of output blocks.
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

  /// Returns the command built with the tests.
  static func executable() throws -> URL {
    try #require(builtCommand(), "the command is built with the tests")
  }
}

/// A running command that can be written to and read from.
final class RunningReptrace {
  let process = Process()
  let input: FileHandle
  let output: FileHandle

  init(_ arguments: [String], umask: String = "022") throws {
    // The process may exit before it has read everything.
    signal(SIGPIPE, SIG_IGN)
    // Set the umask in a shell: the test process's own would apply to concurrent tests.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "umask \(umask); exec \"$0\" \"$@\"", try ReptraceRun.executable().path] + arguments
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    (self.input, self.output) = (input.fileHandleForWriting, output.fileHandleForReading)
    try process.run()
  }

  func send(lines: some Sequence<some Sequence<UInt8>>) throws {
    for line in lines { try input.write(contentsOf: Data(line) + [0x0A]) }
  }

  /// Reads output until it contains a text a number of times.
  @discardableResult
  func read(until text: String, times: Int = 1) throws -> String {
    var received = ""
    while received.components(separatedBy: text).count <= times {
      let more = output.availableData
      try #require(!more.isEmpty)
      received += String(decoding: more, as: UTF8.self)
    }
    return received
  }

  /// Closes the input, waits for the end, and returns the remaining output.
  @discardableResult
  func finish(status: Int32 = 0) -> String {
    try? input.close()
    let rest = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == status)
    return rest
  }
}

/// Returns the sets of a history, as printed by `history list`.
func listedSets(_ store: String) throws -> [[String: Any]] {
  try ReptraceRun(["history", "list", store, "--output", "ndjson"]).objects()
}

typealias ScratchFolder = TemporaryFolder

extension ScratchFolder {
  /// Writes a recording of curls.
  @discardableResult
  func writeCurls(reps: Int, to path: String) throws -> String {
    try write(ProcessCommandTests.curls(reps: reps), to: path)
  }
}

/// The package's folder.
enum PackageFolder {
  static func path(_ name: String) -> String { packageRoot.appendingPathComponent(name).path }

  /// Returns the path of a recording of the fixtures.
  static func recording(_ name: String) -> String {
    fixtureRecordings.appendingPathComponent(name).path
  }
}
