import Foundation

/// The structs of the apps as documented, encoded by Swift's encoder.
struct FlatSample: Codable {
  var timestamp: TimeInterval
  var accelerationX, accelerationY, accelerationZ: Double
  var rotationX, rotationY, rotationZ: Double
  var gravityX, gravityY, gravityZ: Double
  var roll, pitch, yaw: Double
  var magneticFieldX, magneticFieldY, magneticFieldZ: Double?
}

struct Vector: Codable {
  var x, y, z: Double
}

struct Angles: Codable {
  var roll, pitch, yaw: Double
}

struct NestedSample: Codable {
  var timestamp: TimeInterval
  var acceleration, rotation, gravity: Vector
  var attitude: Angles
  var magneticField: Vector?
}

struct Chunk<Sample: Codable>: Codable {
  var sessionId, exerciseId, setId: UUID
  var phase: String
  var samples: [Sample]
  var metadata: [String: String] = ["device": "Watch"]
}

/// A sample of the published watch app, which sends arrays of them.
struct WatchSample: Codable {
  var accelerationX, accelerationY, accelerationZ: Double?
  var rotationX, rotationY, rotationZ: Double?
  var gravityX, gravityY, gravityZ: Double?
  var attitudeRoll, attitudePitch, attitudeYaw: Double?
  var magneticFieldX, magneticFieldY, magneticFieldZ: Double?
  var captureFrequency: Double?
  var sampleCount: Int?
  var capturedAt: Date
}

/// Plausible values with full precision.
enum MadeSamples {
  static func flat(_ count: Int, start: Double = 83_211.5, rate: Double = 50) -> [FlatSample] {
    (0..<count).map { index in
      let t = Double(index) / rate
      let roll = 0.7 * sin(t * 3.1)
      let pitch = 0.4 * cos(t * 2.3)
      return FlatSample(
        timestamp: start + t, accelerationX: 0.3 * sin(9 * t), accelerationY: 0.2 * cos(7 * t),
        accelerationZ: 0.1 * sin(5 * t + 1), rotationX: 2 * cos(3 * t), rotationY: sin(2 * t),
        rotationZ: cos(t), gravityX: cos(pitch) * sin(roll), gravityY: -sin(pitch),
        gravityZ: -cos(pitch) * cos(roll), roll: roll, pitch: pitch, yaw: t / 7)
    }
  }

  static func nested(_ sample: FlatSample) -> NestedSample {
    NestedSample(
      timestamp: sample.timestamp,
      acceleration: Vector(
        x: sample.accelerationX, y: sample.accelerationY, z: sample.accelerationZ),
      rotation: Vector(x: sample.rotationX, y: sample.rotationY, z: sample.rotationZ),
      gravity: Vector(x: sample.gravityX, y: sample.gravityY, z: sample.gravityZ),
      attitude: Angles(roll: sample.roll, pitch: sample.pitch, yaw: sample.yaw))
  }

  static func watch(_ sample: FlatSample, date: Date, rate: Double = 50) -> WatchSample {
    WatchSample(
      accelerationX: sample.accelerationX, accelerationY: sample.accelerationY,
      accelerationZ: sample.accelerationZ, rotationX: sample.rotationX,
      rotationY: sample.rotationY, rotationZ: sample.rotationZ, gravityX: sample.gravityX,
      gravityY: sample.gravityY, gravityZ: sample.gravityZ, attitudeRoll: sample.roll,
      attitudePitch: sample.pitch, attitudeYaw: sample.yaw, captureFrequency: rate,
      sampleCount: 1, capturedAt: date)
  }
}
