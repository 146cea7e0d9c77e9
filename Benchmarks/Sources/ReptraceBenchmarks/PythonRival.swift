import Foundation

/// Python libraries in a separate process, which runs commands and times itself.
///
/// `Benchmarks/setup-rivals` installs them; the scripts are in `Benchmarks/Rivals`.
final class PythonRival {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  /// Within the checkout, so that two runs do not overwrite each other's files and recordings stay private.
  private let folder = PythonRival.benchmarksFolder.appendingPathComponent(".build/rival-data")
  private var buffered = Data()
  private(set) var seconds = 0.0
  /// Versions of the Python libraries.
  private(set) var versions = ""

  static let benchmarksFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Starts the rival of a script; returns nil, with a message on standard error, if it does not start.
  static func started(_ script: String) -> PythonRival? {
    do {
      return try PythonRival(script)
    } catch {
      FileHandle.standardError.write(
        Data("benchmarks: Rivals/\(script) does not start; its rivals are left out\n".utf8))
      return nil
    }
  }

  private init(_ script: String) throws {
    let benchmarks = Self.benchmarksFolder
    process.executableURL = benchmarks.appendingPathComponent(".build/rivals/bin/python")
    process.arguments = [benchmarks.appendingPathComponent("Rivals/\(script)").path]
    // One thread per library, as for ours.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "ARROW_IO_THREADS": "1"]
    ) { _, new in new }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    versions = try line()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Writes a file and returns its path.
  func file(named name: String, _ content: () -> Data) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent(name)
    try content().write(to: url)
    return url.path
  }

  func contestant(
    _ name: String, _ work: String, _ arguments: String, wanted: Double? = nil
  ) -> Contest.Contestant {
    let figures = Figures()
    return .init(
      name: name, wanted: wanted, measuredSeconds: self.seconds,
      figures: figures.values,
      run: {
        try self.input.fileHandleForWriting.write(contentsOf: Data("\(work) \(arguments)\n".utf8))
        let line = try self.line()
        guard !line.hasPrefix("failed ") else {
          throw RivalFails(reason: String(line.dropFirst("failed ".count)))
        }
        let answer = line.split(separator: " ")
        guard answer.count >= 2, let seconds = Double(answer[0]), let checksum = Double(answer[1])
        else { throw NoAnswer() }
        self.seconds = seconds
        for pair in answer.dropFirst(2).map({ $0.split(separator: "=") }) where pair.count == 2 {
          figures.values[String(pair[0])] = Double(pair[1])
        }
        return checksum
      })
  }

  private final class Figures {
    var values: [String: Double] = [:]
  }

  struct NoAnswer: Error {}

  /// A rival's reason for not doing a task, such as a missing library.
  struct RivalFails: Error {
    var reason: String
  }

  private func line() throws -> String {
    while true {
      if let end = buffered.firstIndex(of: 10) {
        defer { buffered = Data(buffered[(end + 1)...]) }
        return String(decoding: buffered[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw NoAnswer() }
      buffered += more
    }
  }
}
