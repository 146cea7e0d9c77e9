import Foundation
import GRDB
import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import TimelineFormat
@testable import WorkoutHistory

enum PythonReader {
  static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    try TestSupport.run("python3", arguments)
  }

  static let script = packageRoot.appendingPathComponent("tools/reptrace_timeline.py").path

  /// Returns the Python reader's summary of files, in the format of ``TimelineSummary``.
  static func summary(_ paths: [String]) throws -> [String] {
    let result = try run([script, "--summary"] + paths)
    try #require(result.status == 0, "\(result.output)")
    return result.output.split(separator: "\n").map(String.init)
  }
}

/// The Python reader, written from the format page alone, must agree on every timeline.
@Suite(.enabled(if: hasNumPy, "needs python3 with numpy"))
struct PythonReaderTests {
  /// Number of stores to compare.
  static let storeCount = isFullRun ? 100 : 12

  @Test func pythonReadsGoldenFiles() throws {
    // Work on a copy: opening a store creates sidecar files.
    let folder = try TemporaryFolder()
    let golden = folder.url.appendingPathComponent("golden")
    try FileManager.default.copyItem(at: goldenFolder, to: golden)
    let result = try PythonReader.run([PythonReader.script, "--check", golden.path])
    #expect(result.status == 0, "\(result.output)")
    let files = try FileManager.default.contentsOfDirectory(atPath: golden.path).sorted()
    let blobs = files.filter { $0.hasSuffix(".blob") }
      .map { golden.appendingPathComponent($0).path }
    #expect(blobs.count >= 5)
    var expected: [String] = []
    for path in blobs {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      expected += ["= \(path)"] + TimelineSummary.lines(of: bytes)
    }
    expectSame(try PythonReader.summary(blobs), expected)
  }

  @Test func pythonReadsRandomTimelines() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<100 {
      var generator = RandomSource(seed: UInt64(seed))
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

  /// Stores with several recordings and sets, in both precisions; every third has damaged timelines.
  @Test func pythonReadsRandomStores() throws {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    var expected: [String] = []
    for seed in 0..<Self.storeCount {
      let path = folder.path("\(seed).sqlite")
      let damaged = try writeStore(path, seed: seed)
      paths.append(path)
      expected += try summary(ofStore: path)
      let report = try HistoryStore(path: path, mode: .readOnly).verify()
      #expect(report.timelineCount - report.intactTimelineCount == damaged)
      let checked = try PythonReader.run([PythonReader.script, path])
      #expect(checked.status == (damaged == 0 ? 0 : 1), "\(checked.output)")
    }
    #expect(expected.contains("refused"))
    expectSame(try PythonReader.summary(paths), expected)
  }

  private func expectSame(_ found: [String], _ expected: [String]) {
    #expect(found.count == expected.count)
    for (a, b) in zip(found, expected) where a != b {
      #expect(a == b)
      return
    }
  }

  /// Writes a store and returns the number of its damaged timelines.
  private func writeStore(_ path: String, seed: Int) throws -> Int {
    var generator = RandomSource(seed: UInt64(seed) + 1000)
    let store = try HistoryStore(path: path, mode: .create)
    for number in 0..<Int.random(in: 1...3, using: &generator) {
      let samples =
        Bool.random(using: &generator)
        ? GoldenExample.coreMotionLike(count: Int.random(in: 60...500, using: &generator))
        : Example.samples(seconds: Int.random(in: 4...12, using: &generator), seed: UInt64(seed))
      let first = samples.times.first ?? 0
      let duration = (samples.times.last ?? 0) - first
      var sets: [CountedSet] = []
      for index in 0..<Int.random(in: 0...3, using: &generator) {
        let begin = first + duration * (0.1 + 0.3 * Double(index))
        let reps = Int.random(in: 0...9, using: &generator)
        sets.append(Example.set(.detected, begin, begin + 0.2 * duration, reps: reps))
      }
      var recording = Recording(
        name: "\(number).csv", identity: SetIdentity(sessionId: "session-é-\(seed)"),
        samples: samples, unixTimeOfFirstSample: 1_700_000_000.5)
      recording.phases = [PhaseSpan(rows: 3..<samples.count / 2, phase: .execution)]
      recording.health = (0..<5).map { (second: Int) -> HealthReading in
        let heartRateBPM: Double? = second % 2 == 0 ? 100 : nil
        let calories: Double? = second % 3 == 0 ? 1.5 : nil
        return HealthReading(
          unixTime: 1_700_000_000 + Double(second), heartRateBPM: heartRateBPM, calories: calories)
      }
      try store.save(
        recording, sets: sets, precision: Bool.random(using: &generator) ? .lossless : .bounded(),
        provenance: TimelineProvenance(
          writer: "w", detector: "d", settings: ["b": "2", "a": "ü", "ß": "3"]))
    }
    try store.close()
    guard seed % 3 == 2 else { return 0 }
    let queue = try DatabaseQueue(path: path)
    return try queue.write { db in
      var damaged = 0
      for row in try Row.fetchAll(db, sql: "SELECT segmentId, data FROM blob") {
        guard damaged == 0 || Bool.random(using: &generator) else { continue }
        var bytes = [UInt8](row["data"] as Data)
        if Bool.random(using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] ^=
            1 << UInt8.random(in: 0..<8, using: &generator)
        } else {
          bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
        }
        try db.execute(
          sql: "UPDATE blob SET data = ? WHERE segmentId = ?",
          arguments: [Data(bytes), row["segmentId"] as Int64])
        damaged += 1
      }
      return damaged
    }
  }

  private func summary(ofStore path: String) throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let rows = try queue.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT g.id, b.data FROM segment g
          LEFT JOIN blob b ON b.segmentId = g.id ORDER BY g.recordingId, g.position
          """)
    }
    return rows.flatMap { row in
      ["= \(path)#\(row["id"] as Int64)"]
        + TimelineSummary.lines(of: (row["data"] as Data?).map { [UInt8]($0) })
    }
  }
}
