import Foundation
import MotionSynthesis
import TestSupport
import Testing

/// Recordings cut into the watch app's chunk files give the same counts.
@Suite struct ChunkFileTests {
  private struct Sidecar: Encodable {
    var type = "sensorData"
    var count: Int
    var phase = "execution"
    var sessionId = "7A4D0C2E-0000-4000-8000-000000000001"
    var setId = "7A4D0C2E-0000-4000-8000-000000000002"
  }

  /// Writes the rows of a CSV with the app's names as shuffled chunk files, one of them twice.
  private func chunks(of csv: String, into folder: ScratchFolder) throws {
    let rows = csv.split(separator: "\n").dropFirst().map { row in
      row.split(separator: ",").compactMap { Double($0) }
    }
    var starts = Array(stride(from: 0, to: rows.count, by: 100))
    starts.append(starts[1])
    var generator = RandomSource(seed: 1)
    for (index, start) in starts.shuffled(using: &generator).enumerated() {
      let chunk = rows[start..<min(start + 100, rows.count)]
      let samples = chunk.map { row in
        var members = zip(
          [
            "capturedAt", "accelerationX", "accelerationY", "accelerationZ", "rotationX",
            "rotationY", "rotationZ", "gravityX", "gravityY", "gravityZ", "attitudeRoll",
            "attitudePitch", "attitudeYaw",
          ], row
        ).map { key, value in "\"\(key)\":\(key == "capturedAt" ? value + 1_720_000_000 : value)" }
        members.append("\"captureFrequency\":50")
        return "{" + members.shuffled(using: &generator).joined(separator: ",") + "}"
      }
      try folder.write("[" + samples.joined(separator: ",") + "]", to: "set/\(index).json")
      try folder.write(
        try JSONEncoder().encode(Sidecar(count: chunk.count)), to: "set/\(index).metadata.json")
    }
  }

  @Test func shuffledChunksGiveTheCountOfTheirCSV() throws {
    let folder = try ScratchFolder()
    let csv = ProcessCommandTests.curls(reps: 7)
    let whole = try folder.write(csv, to: "whole.csv")
    try chunks(of: csv, into: folder)
    let expected = try ReptraceRun(["process", whole, "--one-set", "--output", "ndjson"]).objects()
    let counted = try ReptraceRun(["process", folder.path("set"), "--output", "ndjson"]).objects()
    try #require(counted.count == 1 && expected.count == 1)
    #expect(counted[0]["recording"] as? String == folder.path("set"))
    #expect(counted[0]["cause"] as? String == "declared")
    #expect(counted[0]["setId"] as? String == "7A4D0C2E-0000-4000-8000-000000000002")
    for key in ["reps", "start", "end"] {
      let value = try #require(expected[0][key] as? Double)
      #expect(counted[0][key] as? Double == value, "\(key)")
    }
  }

  private static let realRecordings = packageRoot.deletingLastPathComponent()
    .appendingPathComponent("shared/datasets/coremotion")

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: realRecordings.path),
      "needs ../shared/datasets/coremotion"))
  func realRecordingsInChunksGiveTheSameCounts() throws {
    let folder = Self.realRecordings
    for name in ["watch-pushups_juan-50hz.csv", "watch-rowing_tori-50hz.csv"] {
      let scratch = try ScratchFolder()
      let file = folder.appendingPathComponent(name)
      try chunks(of: try String(contentsOf: file, encoding: .utf8), into: scratch)
      let whole = try ReptraceRun(["process", file.path, "--one-set", "--output", "ndjson"])
      let cut = try ReptraceRun(["process", scratch.path("set"), "--output", "ndjson"])
      let reps = try #require(try whole.objects().first?["reps"] as? Int)
      #expect(try cut.objects().first?["reps"] as? Int == reps)
    }
  }
}
