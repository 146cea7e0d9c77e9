import Foundation
import Motion
import Testing

@testable import TimelineStore

/// Blobs that were written once and are decoded for ever. Run with `REPTRACE_WRITE_GOLDEN=1` to
/// write those that are missing; existing ones are never overwritten.
struct TimelineGoldenTests {
  @Test func firstVersion() throws {
    let file = goldenFolder.appendingPathComponent("timeline-v1.blob")
    if !FileManager.default.fileExists(atPath: file.path),
      ProcessInfo.processInfo.environment["REPTRACE_WRITE_GOLDEN"] != nil
    {
      try FileManager.default.createDirectory(
        at: goldenFolder, withIntermediateDirectories: true)
      let encoder = TimelineEncoder(precision: .lossless, rowsPerBlock: 128)
      try Data(encoder.encode(GoldenTimeline.timeline())).write(to: file)
    }
    let bytes = [UInt8](try Data(contentsOf: file))
    let decoded = try TimelineDecoder().decode(bytes)
    expectSame(decoded, GoldenTimeline.timeline())
  }

  private func expectSame(_ decoded: Timeline, _ expected: Timeline) {
    #expect(sameBits(decoded.samples, expected.samples))
    #expect(decoded.phases == expected.phases)
    #expect(decoded.gaps == expected.gaps)
    #expect(decoded.set == expected.set)
    #expect(decoded.health == expected.health)
    #expect(decoded.movementCurve == expected.movementCurve)
    #expect(decoded.identity == expected.identity)
    #expect(decoded.unixTimeOfFirstSample == expected.unixTimeOfFirstSample)
    #expect(decoded.provenance == expected.provenance)
    #expect(decoded.otherSections == expected.otherSections)
  }
}
