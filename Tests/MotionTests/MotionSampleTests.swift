import Motion
import Testing

@Suite struct MotionSampleTests {
  @Test func appendingSingleSamplesGivesTheSameBatch() {
    var batch = MotionBatch()
    batch.append(MotionSample(time: 1, rotationRate: SIMD3(1, 2, 3)))
    batch.append(MotionSample(time: 2, gravity: SIMD3(0, 0, -1)))
    batch.append(MotionSample(time: 3, rotationRate: SIMD3(4, 5, 6), gravity: SIMD3(0, -1, 0)))
    #expect(batch.count == 3)
    #expect(batch.times == [1, 2, 3])
    #expect(
      batch.channels == [
        .time, .rotationRateX, .rotationRateY, .rotationRateZ, .gravityX, .gravityY, .gravityZ,
      ])
    #expect(batch[.rotationRateY][0] == 2 && batch[.rotationRateY][2] == 5)
    #expect(batch[.rotationRateY][1].isNaN && batch[.gravityZ][0].isNaN)
    #expect(batch[.gravityY][2] == -1)
  }

  @Test func sampleIsConvertedToTheBatchUnits() {
    var batch = MotionBatch(
      units: MotionUnits(time: .milliseconds, gravity: .metersPerSecondSquared))
    batch.append(MotionSample(time: 2, gravity: SIMD3(0, 0, -1)))
    #expect(batch.times == [2000])
    #expect(batch[.gravityZ] == [-9.80665])
  }

  @Test func batchOfOneSampleHasItsQuantities() {
    let batch = MotionBatch(
      MotionSample(time: 0, userAcceleration: .zero, totalAcceleration: SIMD3(0, 0, -1)))
    #expect(batch.has(.userAcceleration) && batch.has(.totalAcceleration))
    #expect(!batch.has(.gravity) && !batch.has(.rotationRate))
  }
}
