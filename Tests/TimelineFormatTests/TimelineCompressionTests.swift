import Foundation
import Motion
import TestSupport
import Testing

@testable import TimelineFormat

/// What timelines of Core Motion's values take, container included.
@Suite(.enabled(if: !CoreMotionFiles.names.isEmpty, "needs ../shared/datasets/coremotion"))
struct TimelineCompressionTests {
  static func sizes(
    _ precision: TimelinePrecision, check: (MotionBatch, MotionBatch) throws -> Void
  ) throws -> [Double] {
    try CoreMotionFiles.names.map { name in
      let samples = try CoreMotionFiles.read(name)
      #expect(samples.channels.count == 13)
      let blob = try TimelineEncoder(precision: precision).encode(Timeline(samples: samples))
      try check(samples, TimelineDecoder().decode(blob).samples)
      if ProcessInfo.processInfo.environment["REPTRACE_MEASURE"] != nil {
        let inspection = try TimelineBlob(blob).inspect()
        let columns = inspection.columns.map { column in
          let codec = column.blocksPerCodec.keys.map { String($0) }.joined()
          return String(
            format: "%@ %@ %.2f", column.channel?.name ?? "", codec,
            Double(column.byteCount) / Double(samples.count))
        }
        print(name, inspection.bytesPerSample ?? 0, columns.joined(separator: ", "))
      }
      return Double(blob.count) / Double(samples.count)
    }
  }

  @Test func lossless() throws {
    let sizes = try Self.sizes(.lossless) { #expect(sameBits($0, $1)) }
    let mean = sizes.reduce(0, +) / Double(sizes.count)
    #expect(mean <= 35, "\(sizes)")
  }

  @Test func bounded() throws {
    let sizes = try Self.sizes(.bounded()) { original, decoded in
      for channel in original.channels {
        let bound = channel == .time ? 1e-6 : 1e-4
        let worst = zip(original[channel], decoded[channel]).map { abs($0 - $1) }.max() ?? 0
        #expect(worst <= bound, "\(channel)")
      }
    }
    let mean = sizes.reduce(0, +) / Double(sizes.count)
    #expect(mean <= 10.8, "\(sizes)")
  }

  /// Run with `REPTRACE_MEASURE=1`: prints megabytes of raw Doubles a second.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["REPTRACE_MEASURE"] != nil))
  func speed() throws {
    let batches = try CoreMotionFiles.names.map { try CoreMotionFiles.read($0) }
    let bytes = Double(batches.reduce(0) { $0 + $1.count * 13 * 8 })
    for precision in [TimelinePrecision.lossless, .bounded()] {
      let encoder = TimelineEncoder(precision: precision)
      let timelines = batches.map { Timeline(samples: $0) }
      let blobs = try timelines.map { try encoder.encode($0) }
      var encoding: [Double] = []
      var decoding: [Double] = []
      let clock = ContinuousClock()
      for _ in 0..<30 {
        encoding.append(
          try clock.measure { for timeline in timelines { _ = try encoder.encode(timeline) } }
            / .seconds(1))
        decoding.append(
          try clock.measure { for blob in blobs { _ = try TimelineDecoder().decode(blob) } }
            / .seconds(1))
      }
      encoding.sort()
      decoding.sort()
      print(
        "\(precision): encode \(bytes / encoding[15] / 1e6) (best \(bytes / encoding[0] / 1e6)),",
        "decode \(bytes / decoding[15] / 1e6) (best \(bytes / decoding[0] / 1e6)) MB/s")
    }
  }
}
