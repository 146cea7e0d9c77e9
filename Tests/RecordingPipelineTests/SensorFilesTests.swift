import Foundation
import Motion
import Testing

@testable import RecordingPipeline

/// Which files become which recordings.
@Suite struct SensorFilesTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("loader-\(UUID().uuidString)")
  }

  private func write(_ name: String, _ text: String) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func sensor(from start: Double = 0, seconds: Double = 4) -> String {
    "timestamp (s),x-axis (g),y-axis (g),z-axis (g)\n"
      + (0..<Int(seconds * 50)).map { "\(start + Double($0) / 50),0.1,0.2,0.9\n" }.joined()
  }

  private func gyroscope(from start: Double = 0, seconds: Double = 4) -> String {
    sensor(from: start, seconds: seconds)
      .replacing("(g)", with: "(deg/s)")
  }

  private func outcomes(
    _ paths: [String] = [""]
  ) async throws -> (names: [String], samples: [MotionBatch], warnings: [String]) {
    defer { try? FileManager.default.removeItem(at: folder) }
    var names: [String] = []
    var samples: [MotionBatch] = []
    var warnings: [String] = []
    let full = paths.map { $0.isEmpty ? folder.path : folder.path + "/" + $0 }
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
  func sensorsOfARecordingAreCountedOnce(_ first: String, _ second: String) async throws {
    try write(first, first.lowercased().contains("gyro") ? gyroscope() : sensor())
    try write(second, second.lowercased().contains("gyro") ? gyroscope() : sensor())
    let found = try await outcomes()
    #expect(found.names.count == 1)
    #expect(found.samples.first?.has(.rotationRate) == true)
    #expect(found.samples.first?.has(.totalAcceleration) == true)
    #expect(found.warnings.isEmpty)
  }

  @Test func filesNamedOneByOneAreJoinedToo() async throws {
    try write("a-Accelerometer.csv", sensor())
    try write("a-Gyroscope.csv", gyroscope())
    let found = try await outcomes(["a-Accelerometer.csv", "a-Gyroscope.csv"])
    #expect(found.names == ["a"])
  }

  @Test func recordingsOfOtherNamesStayApart() async throws {
    try write("a-Accelerometer.csv", sensor())
    try write("b-Gyroscope.csv", gyroscope())
    let found = try await outcomes()
    #expect(found.names == ["a-Accelerometer.csv", "b-Gyroscope.csv"])
    #expect(found.warnings.isEmpty)
  }

  @Test func sensorsWhoseTimesDoNotMeetStayApartWithAWarning() async throws {
    try write("a-Accelerometer.csv", sensor())
    try write("a-Gyroscope.csv", gyroscope(from: 100))
    let found = try await outcomes()
    #expect(found.names == ["a-Accelerometer.csv", "a-Gyroscope.csv"])
    #expect(found.warnings.count == 2)
  }

  @Test func whatOverlapsAndCannotBeJoinedIsAWarning() async throws {
    try write("Accelerometer_10-15-01.csv", sensor(from: 1_700_000_000))
    try write("Gyroscope_10-15-02.csv", gyroscope(from: 1_700_000_001))
    try write("Gyroscope_11-00-00.csv", gyroscope(from: 1_700_009_000))
    let found = try await outcomes()
    #expect(found.names.count == 3)
    #expect(found.warnings.count == 1)
    #expect(found.warnings.first?.contains("Accelerometer_10-15-01.csv") == true)
  }

  @Test func twoFilesOfOneSensorAreNotMixed() async throws {
    try write("a-acc.csv", sensor())
    try write("a-accelerometer.csv", sensor())
    try write("a-gyro.csv", gyroscope())
    let found = try await outcomes()
    #expect(found.names.count == 3)
    #expect(found.warnings.count == 2)
  }

  @Test func aSensorThatCannotBeReadIsLeftOut() async throws {
    try write("r/Accelerometer.csv", sensor())
    try write("r/Gyroscope.csv", "time,seconds_elapsed,z,y,x\n")
    let found = try await outcomes()
    #expect(found.names == ["r"])
    #expect(found.warnings.count == 1)
    #expect(found.warnings.first?.contains("r/Gyroscope.csv") == true)
  }
}
