import Foundation
import Motion
import TestSupport
import Testing

@testable import TimelineFormat

/// Size of timelines with Core Motion's values, container included.
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
        #expect(decoded[channel].count == original.count, "\(channel)")
        let bound = channel == .time ? 1e-6 : 1e-4
        let worst = zip(original[channel], decoded[channel]).map { abs($0 - $1) }.max() ?? 0
        #expect(worst <= bound, "\(channel)")
      }
    }
    let mean = sizes.reduce(0, +) / Double(sizes.count)
    #expect(mean <= 10.8, "\(sizes)")
  }
}
