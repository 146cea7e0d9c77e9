import Foundation
import Motion
import MotionSynthesis

/// A hinge that rotates a watch about a fixed axis, with the true values: the simplest movement for which
/// every figure is known.
struct HingeRecording {
  enum Sensors { case attitude, gravity, acceleration, gyroscopeOnly, accelerationOnly }

  var reps = 8
  var rangeDegrees = 120.0
  var concentric = 1.2
  var eccentric = 1.8
  var farPause = 0.6
  var rest = 0.5
  /// Fraction of the speed lost from the first to the last rep.
  var velocityLoss = 0.2
  var rangeLoss = 0.1
  var rateHz = 50.0
  var sensors = Sensors.attitude
  var gap: ClosedRange<Double>?

  struct TrueRep {
    var concentric: Double
    var eccentric: Double
    var range: Double
    var start: Double
    var end: Double
  }

  private(set) var truth: [TrueRep] = []
  private(set) var samples = MotionBatch()
  private(set) var set = CountedSet(cause: .declared, start: 0, end: 0, reps: [], confidence: 1)
  private var keys: [(time: Double, angle: Double)] = []

  mutating func make() {
    keys = [(0, 0), (3, 0)]
    var time = 3.0
    for index in 0..<reps {
      let share = Double(index) / Double(max(reps - 1, 1))
      let range = rangeDegrees * (1 - rangeLoss * share)
      let way = concentric / (1 - velocityLoss * share) * range / rangeDegrees
      let start = time
      time += way
      keys.append((time, range))
      if farPause > 0 {
        time += farPause
        keys.append((time, range))
      }
      time += eccentric
      keys.append((time, 0))
      // The span in which a minimum-jerk movement exceeds 10 % of its peak speed.
      truth.append(
        TrueRep(
          concentric: way, eccentric: eccentric, range: range, start: start + 0.08 * way,
          end: time - 0.08 * eccentric))
      if rest > 0 {
        time += rest
        keys.append((time, 0))
      }
    }
    time += 3
    keys.append((time, 0))
    let counted = truth.map { CountedRep(start: $0.start, end: $0.end, confidence: 0.9) }
    set = CountedSet(
      cause: .declared, start: counted.first?.start ?? 0, end: counted.last?.end ?? 0,
      reps: counted, confidence: 0.9)
    sample(seconds: time)
  }

  /// Returns the hinge's angle, in degrees.
  func angle(_ time: Double) -> Double {
    for (a, b) in zip(keys, keys.dropFirst()) where time < b.time {
      let u = (time - a.time) / (b.time - a.time)
      return a.angle + (b.angle - a.angle) * u * u * u * (10 + u * (6 * u - 15))
    }
    return 0
  }

  private mutating func sample(seconds: Double) {
    var columns: [MotionChannel: [Double]] = [:]
    var state: UInt64 = 7
    func noise(_ size: Double) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 11) / Double(1 << 53) * 2 - 1) * size
    }
    let norm = (0.01 + 0.9025 + 0.09).squareRoot()
    let axis = SIMD3(0.1, 0.95, 0.3) / norm
    let a = (w: cos(0.4), v: SIMD3(sin(0.4) * 0.6, 0, sin(0.4) * 0.8))
    for row in 0..<Int(seconds * rateHz) {
      let time = Double(row) / rateHz
      if let gap, gap.contains(time) { continue }
      let radians = angle(time) * .pi / 180
      let rate = (angle(time + 0.001) - angle(time - 0.001)) * .pi / 180 / 0.002
      let b = (w: cos(radians / 2), v: axis * sin(radians / 2))
      let w = a.w * b.w - (a.v * b.v).sum()
      let cross = SIMD3(
        a.v.y * b.v.z - a.v.z * b.v.y, a.v.z * b.v.x - a.v.x * b.v.z,
        a.v.x * b.v.y - a.v.y * b.v.x)
      let v = b.v * a.w + a.v * b.w + cross
      let up = SIMD3(
        2 * (v.x * v.z - w * v.y), 2 * (v.y * v.z + w * v.x), 1 - 2 * (v.x * v.x + v.y * v.y))
      func add(_ channel: MotionChannel, _ value: Double) {
        columns[channel, default: []].append(value)
      }
      func add(_ quantity: MotionQuantity, _ value: SIMD3<Double>) {
        for (index, channel) in quantity.channels.enumerated() { add(channel, value[index]) }
      }
      add(.time, time)
      if sensors != .accelerationOnly {
        let bias = sensors == .attitude ? 0.0 : 0.01
        add(
          .rotationRate,
          axis * rate + SIMD3(noise(0.02), noise(0.02), noise(0.02)) + SIMD3(repeating: bias))
      }
      switch sensors {
      case .attitude:
        add(.quaternionW, w)
        add(.quaternionX, v.x)
        add(.quaternionY, v.y)
        add(.quaternionZ, v.z)
        add(.gravity, -up)
      case .gravity: add(.gravity, -up)
      case .acceleration, .accelerationOnly:
        add(.totalAcceleration, up + SIMD3(noise(0.01), noise(0.01), noise(0.01)))
      case .gyroscopeOnly: break
      }
    }
    samples = MotionBatch(columns)
  }

  static func made(_ change: (inout HingeRecording) -> Void = { _ in }) -> HingeRecording {
    var recording = HingeRecording()
    change(&recording)
    recording.make()
    return recording
  }
}
