import Foundation
import Motion
import TestSupport
import Testing

@testable import RecordingPipeline

/// Grouping of sensor files into recordings.
@Suite struct SensorFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sensor(from start: Double = 0, seconds: Double = 4) -> String {
    "timestamp (s),x-axis (g),y-axis (g),z-axis (g)\n"
      + (0..<Int(seconds * 50)).map { "\(start + Double($0) / 50),0.1,0.2,0.9\n" }.joined()
  }

  private func gyroscope(from start: Double = 0, seconds: Double = 4) -> String {
    sensor(from: start, seconds: seconds).replacing("(g)", with: "(deg/s)")
  }

  private func outcomes(
    _ paths: [String] = [""]
  ) async throws -> (names: [String], samples: [MotionBatch], warnings: [String]) {
    var names: [String] = []
    var samples: [MotionBatch] = []
    var warnings: [String] = []
    let full = paths.map { $0.isEmpty ? folder.path : folder.path($0) }
    try await ProcessingPipeline().run(paths: full) { outcome in
      guard case .recording(let recording) = outcome else { return }
      names.append(String(recording.name.dropFirst(folder.path.count + 1)))
      samples += recording.parts.map(\.recording.samples)
      warnings += recording.warnings
    }
    return (names, samples, warnings)
  }

  @Test(arguments: [
    ("a.Accelerometer.csv", "a.Gyroscope.csv"), ("a-accelerometer.csv", "a-gyroscopes.csv"),
    ("r/Accelerometer.csv", "r/Gyroscope.csv"), ("Gyroscope/a.csv", "Accelerometer/a.csv"),
  ])
  func sensorFilesOfARecordingAreMerged(_ first: String, _ second: String) async throws {
    try folder.write(first.lowercased().contains("gyro") ? gyroscope() : sensor(), to: first)
    try folder.write(second.lowercased().contains("gyro") ? gyroscope() : sensor(), to: second)
    let found = try await outcomes()
    #expect(found.names.count == 1)
    #expect(found.samples.first?.has(.rotationRate) == true)
    #expect(found.samples.first?.has(.totalAcceleration) == true)
    #expect(found.warnings.isEmpty)
  }

  @Test func individuallyNamedFilesAreMerged() async throws {
    try folder.write(sensor(), to: "a-Accelerometer.csv")
    try folder.write(gyroscope(), to: "a-Gyroscope.csv")
    let found = try await outcomes(["a-Accelerometer.csv", "a-Gyroscope.csv"])
    #expect(found.names == ["a"])
  }

  @Test func recordingsWithDifferentNamesStaySeparate() async throws {
    try folder.write(sensor(), to: "a-Accelerometer.csv")
    try folder.write(gyroscope(), to: "b-Gyroscope.csv")
    let found = try await outcomes()
    #expect(found.names == ["a-Accelerometer.csv", "b-Gyroscope.csv"])
    #expect(found.warnings.isEmpty)
  }

  @Test func sensorsWithoutTimeOverlapStaySeparateWithAWarning() async throws {
    try folder.write(sensor(), to: "a-Accelerometer.csv")
    try folder.write(gyroscope(from: 100), to: "a-Gyroscope.csv")
    let found = try await outcomes()
    #expect(found.names == ["a-Accelerometer.csv", "a-Gyroscope.csv"])
    #expect(found.warnings.count == 2)
  }

  @Test func unmergeableOverlapsCauseAWarning() async throws {
    try folder.write(sensor(from: 1_700_000_000), to: "Accelerometer_10-15-01.csv")
    try folder.write(gyroscope(from: 1_700_000_001), to: "Gyroscope_10-15-02.csv")
    try folder.write(gyroscope(from: 1_700_009_000), to: "Gyroscope_11-00-00.csv")
    let found = try await outcomes()
    #expect(found.names.count == 3)
    #expect(found.warnings.count == 1)
    #expect(found.warnings.first?.contains("Accelerometer_10-15-01.csv") == true)
  }

  @Test func twoFilesOfOneSensorAreNotMixed() async throws {
    try folder.write(sensor(), to: "a-acc.csv")
    try folder.write(sensor(), to: "a-accelerometer.csv")
    try folder.write(gyroscope(), to: "a-gyro.csv")
    let found = try await outcomes()
    #expect(found.names.count == 3)
    #expect(found.warnings.count == 2)
  }

  @Test func unreadableSensorsAreOmitted() async throws {
    try folder.write(sensor(), to: "r/Accelerometer.csv")
    try folder.write("time,seconds_elapsed,z,y,x\n", to: "r/Gyroscope.csv")
    let found = try await outcomes()
    #expect(found.names == ["r"])
    #expect(found.warnings.count == 1)
    #expect(found.warnings.first?.contains("r/Gyroscope.csv") == true)
  }
}
