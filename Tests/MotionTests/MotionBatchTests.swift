import Motion
import Testing

@Suite struct MotionBatchTests {
  private let batch = MotionBatch([.time: [0, 1, 2], .rotationRateX: [10, 20, 30]])

  @Test func appendFillsAbsentColumnsWithNaN() {
    var result = batch
    result.append(MotionBatch([.time: [3], .gravityX: [1]]))
    #expect(result.count == 4)
    #expect(result[.rotationRateX][3].isNaN)
    #expect(result[.gravityX][0].isNaN)
    #expect(result[.gravityX][3] == 1)
  }

  @Test func appendConvertsUnits() {
    var result = batch
    result.append(
      MotionBatch(
        [.time: [3000], .rotationRateX: [180]],
        units: MotionUnits(time: .milliseconds, rotationRate: .degrees)))
    #expect(result.times[3] == 3)
    #expect(abs(result[.rotationRateX][3] - .pi) < 1e-12)
  }

  @Test func convertsToStandardUnits() {
    let source = MotionBatch(
      [
        .time: [1500], .totalAccelerationZ: [AccelerationUnit.standardGravity],
        .roll: [90], .magneticFieldX: [40],
      ],
      units: MotionUnits(
        time: .milliseconds, totalAcceleration: .metersPerSecondSquared, attitude: .degrees))
    let result = source.inStandardUnits()
    #expect(result.times == [1.5])
    #expect(result[.totalAccelerationZ] == [1])
    #expect(abs(result[.roll][0] - .pi / 2) < 1e-15)
    #expect(result[.magneticFieldX] == [40])
    #expect(result.units == .standard)
  }

  @Test func slicesKeepColumnsAndUnits() {
    let slice = batch[1..<3]
    #expect(slice.count == 2)
    #expect(slice[.rotationRateX] == [20, 30])
    #expect(batch.selecting([2, 0])[.time] == [2, 0])
    #expect(batch[0..<0].isEmpty)
  }

  @Test func rowsAreComparedByTheirBits() {
    let other = MotionBatch([.time: [0, 1], .rotationRateX: [10, -0.0]])
    #expect(batch.row(0, equals: 0, of: other))
    #expect(!batch.row(1, equals: 1, of: other))
    let zero = MotionBatch([.time: [1], .rotationRateX: [0.0]])
    #expect(!zero.row(0, equals: 1, of: other))
  }

  @Test func everyChannelHasItsQuantity() {
    for channel in MotionChannel.allCases {
      #expect(channel.quantity.channels.contains(channel))
    }
    #expect(Set(MotionChannel.allCases.map(\.name)).count == MotionChannel.allCases.count)
  }
}
