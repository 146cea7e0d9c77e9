import Foundation
import Motion
import Testing

@testable import TimelineStore

enum PythonReader {
  static let isAvailable = (try? run(["-c", "import numpy"]))?.status == 0

  static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  static let script = packageRoot.appendingPathComponent("tools/reptrace_timeline.py").path
}

/// The reader in Python, written from the format's page alone, gives the same values.
@Suite(.enabled(if: PythonReader.isAvailable, "needs python3 with numpy"))
struct PythonReaderTests {
  @Test func goldenFiles() throws {
    let result = try PythonReader.run([PythonReader.script, "--check", goldenFolder.path])
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func randomTimelines() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<100 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let count = Int.random(in: 1...200, using: &generator)
      let batch: MotionBatch
      switch seed % 4 {
      case 0: batch = GoldenExample.coreMotionLike(count: count)
      case 1: batch = Example.samples(seconds: 3, seed: UInt64(seed))
      default:
        let columns = TimelineRoundTripTests.hostileColumns(count: count)
        var named: [MotionChannel: [Double]] = [:]
        for (index, channel) in MotionChannel.allCases.enumerated() {
          named[channel] = columns[(index * 7 + seed) % columns.count]
        }
        batch = MotionBatch(named)
      }
      let precision = seed % 3 == 0 ? TimelinePrecision.lossless : .bounded()
      let blob = try TimelineEncoder(precision: precision, rowsPerBlock: 20 + seed)
        .encode(Timeline(samples: batch, set: Example.twoSets[0]))
      let decoded = try TimelineDecoder().decode(blob).samples
      try Data(blob).write(to: folder.url.appendingPathComponent("\(seed).blob"))
      try Data(TimelineGoldenTests.values(of: decoded))
        .write(to: folder.url.appendingPathComponent("\(seed).values"))
    }
    let result = try PythonReader.run([PythonReader.script, "--check", folder.url.path])
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func aStore() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("history.sqlite")
    let store = try HistoryStore(path: path, mode: .create)
    for seed in 0..<5 {
      let recording = Recording(
        name: "\(seed)", samples: Example.samples(seconds: 60, seed: UInt64(seed)))
      try store.save(recording, sets: Example.twoSets, precision: .bounded())
    }
    try store.close()
    let result = try PythonReader.run([PythonReader.script, path])
    #expect(result.status == 0 && result.output.contains("15000 samples"), "\(result.output)")
  }
}
