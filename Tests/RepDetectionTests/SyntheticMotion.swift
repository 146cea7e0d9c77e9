import Foundation
import Motion

/// Small synthetic recordings for tests: a wrist that turns about one axis, as in a curl.
struct SyntheticMotion {
  var samples: MotionBatch
  /// Begin of the first rep and end of the last, s.
  var start: Double
  var end: Double

  /// Rest, a row of curls with a pause after each, rest. Gravity follows from the angle, rotation
  /// is the angle's derivative, acceleration comes from a forearm of 0.3 m.
  static func curls(
    reps: Int, period: Double = 2.4, pause: Double = 0.5, rangeRadians: Double = 1.8,
    rateHz: Double = 50, restSeconds: Double = 12, seed: UInt64 = 1
  ) -> SyntheticMotion {
    var noise = Noise(seed: seed)
    let active = Double(reps) * (period + pause)
    let count = Int((2 * restSeconds + active) * rateHz)
    var columns: [MotionChannel: [Double]] = [:]
    for i in 0..<count {
      let t = Double(i) / rateHz
      let inSet = t - restSeconds
      var angle = 0.0
      var speed = 0.0
      var acceleration = 0.0
      if inSet >= 0, inSet < active {
        let u = inSet.truncatingRemainder(dividingBy: period + pause)
        if u < period {
          let w = 2 * Double.pi / period
          angle = rangeRadians / 2 * (1 - cos(w * u))
          speed = rangeRadians / 2 * w * sin(w * u)
          acceleration = rangeRadians / 2 * w * w * cos(w * u)
        }
      }
      let radius = 0.3 / 9.80665
      // Pairs, not a dictionary: its order, and with it the noise, would differ from run to run.
      let values: KeyValuePairs<MotionChannel, Double> = [
        .time: t,
        .gravityX: sin(angle), .gravityY: -cos(angle), .gravityZ: 0.0,
        .rotationRateX: 0.0, .rotationRateY: 0.0, .rotationRateZ: -speed,
        .userAccelerationX: acceleration * radius, .userAccelerationY: speed * speed * radius,
        .userAccelerationZ: 0.0,
      ]
      for (channel, value) in values {
        columns[channel, default: []].append(
          channel == .time ? value : value + 0.004 * noise.next())
      }
    }
    return SyntheticMotion(
      samples: MotionBatch(columns), start: restSeconds, end: restSeconds + active - pause)
  }
}

/// The same pseudo-random numbers in every run (xorshift64*), between −1 and 1.
struct Noise {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  mutating func next() -> Double {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Double(Int64(bitPattern: state &* 0x2545_F491_4F6C_DD1D)) / 9.3e18
  }
}
