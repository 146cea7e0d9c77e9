import Digests
import Motion
import Testing

struct MotionBatchDigestTests {
  private let batch = MotionBatch([
    .time: [0, 0.02, 0.04], .userAccelerationX: [0.1, -0.0, .nan],
    .magneticFieldX: [.nan, .nan, .nan],
  ])

  @Test func digestDoesNotDependOnChunking() {
    for cut in 0...3 {
      var joined = batch[0..<cut]
      joined.append(batch[cut..<3])
      #expect(joined.digest() == batch.digest())
    }
  }

  @Test func columnsOfNaNDoNotAffectTheDigest() {
    var without = batch
    without[.magneticFieldX] = []
    #expect(without.digest() == batch.digest())
  }

  @Test func estimatedChannelsDoNotAffectTheDigest() {
    var more = batch
    more[.gravityX] = [1, 1, 1]
    #expect(more.digest() != batch.digest())
    more.estimated = [.gravityX]
    #expect(more.digest() == batch.digest())
  }

  @Test func everythingElseAffectsTheDigest() {
    var changed: [MotionBatch] = [batch, batch, batch, batch[0..<2]]
    changed[0][.userAccelerationX][1] = 0.0
    changed[1].units.userAcceleration = .metersPerSecondSquared
    changed[2].clock = .unix
    for other in changed { #expect(other.digest() != batch.digest()) }
  }

  /// The digest is a key in existing stores, and must never change.
  @Test func digestNeverChanges() {
    #expect(batch.digest().hexadecimalDigits == Self.fixed)
  }

  private static let fixed =
    "04776050469b366ab48400bf3e1ff1605e40cd9b510a0a27610aedff7853107f"
}
