import SignalProcessing
import Testing

@testable import MotionSynthesis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Platform-independent functions are accurate")
struct DeterministicMathTests {
  @Test("Within two units in the last place of the C library")
  func accuracy() {
    var random = RandomSource(seed: 1)
    for _ in 0..<20_000 {
      let x = random.uniform(-4000...4000)
      let (s, c) = DeterministicMath.sineCosine(x)
      #expect(abs(s - sin(x)) <= 2.3e-16 && abs(c - cos(x)) <= 2.3e-16)
      let small = random.uniform(-20...20)
      #expect(abs(DeterministicMath.arcTangent(small) - atan(small)) <= 4.5e-16)
      #expect(abs(DeterministicMath.exponential(small) / exp(small) - 1) <= 5e-16)
      let unit = random.uniform(-1...1)
      #expect(abs(DeterministicMath.arcSine(unit) - asin(unit)) <= 4.5e-16)
      let angle = DeterministicMath.arcTangent(y: small, x: unit)
      #expect(abs(angle - atan2(small, unit)) <= 9e-16)
      let positive = random.uniform(1e-9...50)
      #expect(abs(DeterministicMath.logarithm(positive) - log(positive)) <= 8e-16 * 21)
    }
  }

  @Test("The generator's numbers equal the published ones")
  func generator() {
    // SplitMix64 from seed 1234567, as in the reference implementation's test vectors.
    var random = RandomSource(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect((0..<5).map { _ in random.next() } == expected)
  }

  @Test("Deviates are standard normal")
  func gaussian() {
    var random = RandomSource(seed: 2)
    let values = (0..<50_000).map { _ in random.gaussian() }
    let mean = values.reduce(0, +) / 50_000
    let variance = values.reduce(0) { $0 + $1 * $1 } / 50_000
    #expect(abs(mean) < 0.02 && abs(variance - 1) < 0.03)
  }

  @Test("Attitude angles invert their rotation")
  func angles() {
    var random = RandomSource(seed: 3)
    for _ in 0..<500 {
      let (roll, pitch, yaw) = (
        random.uniform(-3...3), random.uniform(-1.5...1.5), random.uniform(-3...3)
      )
      let found = (Quaternion.aboutZ(yaw) * .aboutX(pitch) * .aboutY(roll)).rollPitchYaw
      #expect(abs(found.roll - roll) < 1e-12)
      #expect(abs(found.pitch - pitch) < 1e-12)
      #expect(abs(found.yaw - yaw) < 1e-12)
    }
  }
}
