import Motion
import TestSupport
import Testing

@testable import TimelineFormat

/// Every value of a bounded timeline is within its bound.
struct TimelineBoundsTests {
  private func expectWithin(
    _ bounds: ErrorBounds, _ original: MotionBatch, _ decoded: MotionBatch
  ) {
    for channel in original.channels {
      #expect(decoded[channel].count == original.count, "\(channel)")
      let quantity = channel.quantity
      let bound =
        bounds.bound(of: quantity) * original.units.unitsPerStandardUnit(of: quantity)
      for (a, b) in zip(original[channel], decoded[channel]) {
        if !(abs(a - b) <= bound) { #expect(a.bitPattern == b.bitPattern, "\(channel)") }
      }
    }
  }

  @Test(arguments: [1, 2, 40, 333, 2000])
  func hostileColumnsStayWithinBounds(count: Int) throws {
    let columns = TimelineRoundTripTests.hostileColumns(count: count)
    for shift in columns.indices {
      var named: [MotionChannel: [Double]] = [:]
      for (index, channel) in MotionChannel.allCases.enumerated() {
        named[channel] = columns[(index + shift) % columns.count]
      }
      var units = MotionUnits()
      if shift % 2 == 1 {
        units = MotionUnits(
          time: .milliseconds, userAcceleration: .metersPerSecondSquared, rotationRate: .degrees,
          attitude: .degrees)
      }
      let batch = MotionBatch(named, units: units)
      for bounds in [
        ErrorBounds.standard, ErrorBounds(time: 1e-3, acceleration: 0.01, attitude: 1e-9),
        ErrorBounds(time: 0, rotationRate: .infinity, quaternion: -1),
      ] {
        let blob = try TimelineEncoder(precision: .bounded(bounds), rowsPerBlock: 500)
          .encode(Timeline(samples: batch))
        expectWithin(bounds, batch, try TimelineDecoder().decode(blob).samples)
      }
    }
  }

  @Test func valuesHalfwayBetweenStepsStayWithinBounds() throws {
    let rows = 0..<1000
    let batch = MotionBatch([
      .time: rows.map { Double($0) * 1e-6 }, .userAccelerationX: rows.map { Double($0) * 1e-4 },
      .rotationRateX: rows.map { Double($0) * 3e-4 + 1e-4 },
    ])
    let blob = try TimelineEncoder(precision: .bounded()).encode(Timeline(samples: batch))
    expectWithin(.standard, batch, try TimelineDecoder().decode(blob).samples)
  }

  @Test func repsStayWithinBounds() throws {
    let set = GoldenTimeline.timeline().set
    let exact = try TimelineEncoder().encode(Timeline(samples: GoldenTimeline.samples(), set: set))
    #expect(try TimelineDecoder().countedSet(in: exact) == set)
    let bounded = try TimelineEncoder(precision: .bounded())
      .encode(Timeline(samples: GoldenTimeline.samples(), set: set))
    let decoded = try #require(try TimelineDecoder().countedSet(in: bounded))
    #expect(decoded.reps.count == set?.reps.count)
    for (a, b) in zip(decoded.reps, set?.reps ?? []) {
      #expect(abs(a.start - b.start) <= 1e-4 && abs(a.end - b.end) <= 1e-4)
      #expect(abs(a.confidence - b.confidence) <= 1e-4)
    }
  }

  @Test func sineAndCosineAreAccurate() {
    for step in -4000...4000 {
      let angle = Double(step) / 1000 + 1e-7
      let (sine, cosine) = DeterministicTrigonometry.sineAndCosine(SIMD4(angle, -angle, 0, 0))
      #expect(abs(sine.x * sine.x + cosine.x * cosine.x - 1) < 4e-16)
      #expect(sine.x == -sine.y && cosine.x == cosine.y)
    }
    let (sine, cosine) = DeterministicTrigonometry.sineAndCosine(
      SIMD4(.pi / 6, .nan, 0, 0))
    #expect(abs(sine.x - 0.5) < 1e-16 && sine.y == 0 && cosine.y == 1)
    // These bits are permanent: the format's page promises them.
    let fixed = DeterministicTrigonometry.sineAndCosine(SIMD4(1, 2.5, 0, 0))
    #expect(fixed.sine.x.bitPattern == 0x3FEA_ED54_8F09_0CEE)
    #expect(fixed.cosine.x.bitPattern == 0x3FE1_4A28_0FB5_068C)
    #expect(fixed.sine.y.bitPattern == 0x3FE3_26AF_0DCF_CAB0)
    #expect(fixed.cosine.y.bitPattern == 0xBFE9_A2F7_EF85_8B7D)
  }
}
