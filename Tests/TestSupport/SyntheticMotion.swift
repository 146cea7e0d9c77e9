import Foundation
import Motion

/// Small synthetic recordings for tests: a wrist that turns about one axis, as in a curl.
package struct SyntheticMotion {
  package var samples: MotionBatch
  /// Begin of the first rep and end of the last, in seconds.
  package var start: Double
  package var end: Double

  /// A movement out of the starting posture and back, and the pause after it.
  package struct Swing {
    package var seconds: Double
    package var pause: Double
    /// Turn of the forearm about its first axis, in radians.
    package var range: Double
    /// Additional turn about this axis that goes out and back twice, in radians.
    package var twice: Double
    /// Turn of the forearm about its length, in radians.
    package var roll: Double
    /// Vertical travel of the whole arm, in meters.
    package var drop: Double
    /// Pause at the turnaround, in seconds.
    package var hold: Double

    package init(
      seconds: Double = 2.4, pause: Double = 0.5, range: Double = 1.8, twice: Double = 0,
      roll: Double = 0, drop: Double = 0, hold: Double = 0
    ) {
      self.seconds = seconds
      self.pause = pause
      self.range = range
      self.twice = twice
      self.roll = roll
      self.drop = drop
      self.hold = hold
    }

    /// Duration including the pauses at the turnaround and after the movement, in seconds.
    package var allSeconds: Double { seconds + hold + pause }
  }

  /// Returns rest, a run of equal curls with a pause after each, and rest.
  package static func curls(
    reps: Int, period: Double = 2.4, pause: Double = 0.5, rangeRadians: Double = 1.8,
    rateHz: Double = 50, restSeconds: Double = 12, seed: UInt64 = 1
  ) -> SyntheticMotion {
    let swing = Swing(seconds: period, pause: pause, range: rangeRadians)
    return swings(
      Array(repeating: swing, count: reps), rateHz: rateHz, restSeconds: restSeconds, seed: seed)
  }

  /// Returns rest, a series of movements, and rest. Gravity follows from the angles, rotation is their
  /// derivative, and acceleration comes from a forearm of 0.3 m and from the vertical motion of the whole
  /// arm.
  package static func swings(
    _ swings: [Swing], rateHz: Double = 50, restSeconds: Double = 12, seed: UInt64 = 1
  ) -> SyntheticMotion {
    var noise = Noise(seed: seed)
    let active = swings.reduce(0) { $0 + $1.allSeconds }
    let count = Int((2 * restSeconds + active) * rateHz)
    var columns: [MotionChannel: [Double]] = [:]
    var next = 0
    var start = restSeconds
    for i in 0..<count {
      let t = Double(i) / rateHz
      while next < swings.count, t >= start + swings[next].allSeconds {
        start += swings[next].allSeconds
        next += 1
      }
      var pitch = Turn()
      var roll = Turn()
      var drop = Turn()
      if t >= start, next < swings.count, t < start + swings[next].allSeconds - swings[next].pause {
        let swing = swings[next]
        let w = 2 * Double.pi / swing.seconds
        let half = swing.seconds / 2
        let isOut = t - start > half
        let moved = isOut ? max(half, t - start - swing.hold) : t - start
        pitch.add(swing.range, w, at: moved)
        pitch.add(swing.twice, 2 * w, at: moved)
        roll.add(swing.roll, w, at: moved)
        drop.add(swing.drop, w, at: moved)
        if isOut, t - start <= half + swing.hold {
          pitch.stop()
          roll.stop()
          drop.stop()
        }
      }
      let radius = 0.3 / 9.80665
      // In Core Motion's convention, an upward acceleration points along gravity.
      let rise = -drop.acceleration / 9.80665
      let gravity = (
        sin(pitch.angle), -cos(pitch.angle) * cos(roll.angle), -cos(pitch.angle) * sin(roll.angle)
      )
      // An array of pairs, because a dictionary's order, and with it the noise, would differ from run to run.
      let values: KeyValuePairs<MotionChannel, Double> = [
        .time: t,
        .gravityX: gravity.0, .gravityY: gravity.1, .gravityZ: gravity.2,
        .rotationRateX: roll.speed, .rotationRateY: 0.0, .rotationRateZ: -pitch.speed,
        .userAccelerationX: pitch.acceleration * radius + rise * gravity.0,
        .userAccelerationY: -pitch.speed * pitch.speed * radius + rise * gravity.1,
        .userAccelerationZ: rise * gravity.2,
      ]
      for (channel, value) in values {
        columns[channel, default: []].append(
          channel == .time ? value : value + 0.004 * noise.next())
      }
    }
    return SyntheticMotion(
      samples: MotionBatch(columns), start: restSeconds,
      end: restSeconds + active - (swings.last?.pause ?? 0))
  }

  /// An angle with its derivatives, in radians and seconds.
  private struct Turn {
    var angle = 0.0
    var speed = 0.0
    var acceleration = 0.0

    /// Adds a turn out and back with angular frequency `w`.
    mutating func add(_ range: Double, _ w: Double, at t: Double) {
      angle += range / 2 * (1 - cos(w * t))
      speed += range / 2 * w * sin(w * t)
      acceleration += range / 2 * w * w * cos(w * t)
    }

    /// Stops the motion at the current angle.
    mutating func stop() {
      speed = 0
      acceleration = 0
    }
  }
}

/// Pseudo-random numbers between −1 and 1, identical in every run (xorshift64*).
package struct Noise {
  private var state: UInt64

  package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  package mutating func next() -> Double {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Double(Int64(bitPattern: state &* 0x2545_F491_4F6C_DD1D)) / 9.3e18
  }
}
