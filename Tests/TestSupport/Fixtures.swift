import Foundation
import Motion
import MotionSynthesis
import TimelineFormat

/// The package's root folder.
package let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

package let goldenFolder = packageRoot.appendingPathComponent("fixtures/golden")

/// True to run the long forms of tests: `make test-full`.
package let isFullRun = ProcessInfo.processInfo.environment["REPTRACE_FULL"] == "1"

/// True if `python3` can be run.
package let hasPython = (try? run("python3", ["-c", ""]))?.status == 0

/// True if Python has numpy.
package let hasNumPy = (try? run("python3", ["-c", "import numpy"]))?.status == 0

/// Runs a program to its end. The output includes its standard error.
package func run(
  _ program: String, _ arguments: [String], in folder: URL? = nil
) throws -> (status: Int32, output: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  if let folder { process.currentDirectoryURL = folder }
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

/// The synthetic recordings of `fixtures/recordings`. They are not committed: if they are missing,
/// `fixtures/make-fixtures` writes them with the command that was built beside the tests.
package let fixtureRecordings: URL = {
  let fixtures = packageRoot.appendingPathComponent("fixtures")
  let maker = Process()
  maker.executableURL = fixtures.appendingPathComponent("make-fixtures")
  maker.arguments = ["--missing"]
  maker.environment = ProcessInfo.processInfo.environment.merging(
    ["REPTRACE": builtCommand()?.path ?? ""], uniquingKeysWith: { $1 })
  // If it fails, the tests that need a recording report that it is missing.
  if (try? maker.run()) != nil { maker.waitUntilExit() }
  return fixtures.appendingPathComponent("recordings")
}()

/// Returns the command `reptrace` that was built beside the tests.
package func builtCommand() -> URL? {
  let folders =
    [
      Bundle.main.bundleURL,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
  return folders.map { $0.appendingPathComponent("reptrace") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}

/// Returns true if two batches have the same bits, including NaN payloads.
package func sameBits(_ a: MotionBatch, _ b: MotionBatch) -> Bool {
  a.count == b.count && a.units == b.units && a.clock == b.clock && a.estimated == b.estimated
    && a.channels == b.channels
    && a.channels.allSatisfy { channel in
      zip(a[channel], b[channel]).allSatisfy { $0.bitPattern == $1.bitPattern }
    }
}

/// The example whose encoding is golden. Never change it; add others instead.
package enum GoldenTimeline {
  /// Returns 300 samples computed without transcendental functions, so that every machine gets the same bits.
  package static func samples() -> MotionBatch {
    var generator = RandomSource(seed: 1)
    func noise() -> Double { Double(Int64(bitPattern: generator.next()) >> 44) / 524_288 }
    let rows = 0..<300
    var batch = MotionBatch([
      .time: rows.map { 1000 + Double($0) * 0.02 + ($0 > 200 ? 3.5 : 0) },
      .userAccelerationX: rows.map { Double(Float(noise() * 0.5 + Double($0 % 50) / 50)) },
      .userAccelerationY: rows.map { _ in noise() },
      .userAccelerationZ: rows.map { $0 == 7 ? -0.0 : noise() / 4 },
      .rotationRateX: rows.map { Double($0 % 25) / 10 + noise() / 8 },
      .gravityX: rows.map { _ in 0.6 },
      .magneticFieldX: rows.map { $0 % 5 == 0 ? 40 + noise() : .nan },
    ])
    batch.estimated = [.gravityX]
    return batch
  }

  package static func timeline() -> Timeline {
    Timeline(
      samples: samples(),
      phases: [
        PhaseSpan(rows: 0..<201, phase: .execution), PhaseSpan(rows: 201..<300, phase: .rest),
      ],
      set: CountedSet(
        cause: .declared, start: 1000.5, end: 1003.75,
        reps: [
          CountedRep(start: 1000.5, end: 1001.5, confidence: 0.98),
          CountedRep(start: 1001.625, end: 1002.5, confidence: 0.9),
          CountedRep(start: 1002.5, end: 1003.75, confidence: 0.75),
        ], partialReps: [CountedRep(start: 1003.8, end: 1004, confidence: 0.3)],
        confidence: 0.875),
      health: [
        HealthReading(unixTime: 1_700_000_000, heartRateBPM: 121, calories: nil),
        HealthReading(unixTime: 1_700_000_002, heartRateBPM: 123, calories: 4.5),
      ],
      movementCurve: [
        MovementPoint(time: 0, movement: -1), MovementPoint(time: 0.5, movement: 1),
        MovementPoint(time: 1, movement: -1, completedRep: 1),
      ],
      identity: SetIdentity(
        sessionId: "0B5A3F6E-1C2D-4E5F-8A9B-0C1D2E3F4A5B", exerciseId: "bench-press",
        setId: "7c9e6679-7425-40de-944b-e07fc1f90ae7"),
      unixTimeOfFirstSample: 1_700_000_000.25,
      provenance: TimelineProvenance(
        writer: "reptrace 0.1.0", detector: "golden 1", settings: ["minimumReps": "2"]),
      otherSections: [
        TimelineSection(type: TimelineSectionType(rawValue: 0x1234), payload: [1, 2, 3, 4])
      ])
  }
}
