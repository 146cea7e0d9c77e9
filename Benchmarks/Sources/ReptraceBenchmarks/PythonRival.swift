import Foundation

/// Python's libraries in a process of their own, which does its work on command and times itself.
///
/// `Benchmarks/setup-rivals` installs them.
final class PythonRival {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let folder = FileManager.default.temporaryDirectory
  private var buffered = Data()
  private(set) var seconds = 0.0
  /// The versions of Python's libraries.
  private(set) var versions = ""

  init() throws {
    let benchmarks = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    process.executableURL = benchmarks.appendingPathComponent(".build/rivals/bin/python")
    process.arguments = [benchmarks.appendingPathComponent("Rivals/decode.py").path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    versions = try line()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The path of a file with this content.
  func file(named name: String, _ content: () -> Data) throws -> String {
    let url = folder.appendingPathComponent("reptrace-bench-" + name)
    try content().write(to: url)
    return url.path
  }

  func contestant(
    _ name: String, _ work: String, _ path: String, wanted: Double
  ) -> Contest.Contestant {
    func run() throws -> Double {
      try input.fileHandleForWriting.write(contentsOf: Data("\(work) \(path)\n".utf8))
      let answer = try line().split(separator: " ").compactMap { Double($0) }
      guard answer.count == 2 else { throw NoAnswer() }
      seconds = answer[0]
      return answer[1]
    }
    return .init(name: name, wanted: wanted, measuredSeconds: { self.seconds }, run: run)
  }

  struct NoAnswer: Error {}

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
