import Foundation
import Motion

/// Random motion as text, with numbers in their shortest form.
enum MotionText {
  static let channels: [MotionChannel] = [
    .time, .userAccelerationX, .userAccelerationY, .userAccelerationZ, .rotationRateX,
    .rotationRateY, .rotationRateZ, .gravityX, .gravityY, .gravityZ, .roll, .pitch, .yaw,
  ]
  private static let keys = [
    "timestamp", "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY",
    "rotationZ", "gravityX", "gravityY", "gravityZ", "roll", "pitch", "yaw",
  ]

  static func value(
    _ channel: MotionChannel, row: Int, _ random: inout SplitMix64
  ) -> Double {
    channel == .time ? 100_000 + Double(row) / 50 : Double.random(in: -1...1, using: &random)
  }

  /// Returns a chunk object of 100 samples.
  ///
  /// - Parameter shuffled: True for a different order of keys in every sample, as Swift's encoder writes
  ///   them.
  static func chunk(shuffled: Bool, _ random: inout SplitMix64) -> Data {
    let columns = Array(zip(keys, channels))
    let samples = (0..<100).map { row in
      let order = shuffled ? columns.shuffled(using: &random) : columns
      let members = order.map { "\"\($0)\":\(value($1, row: row, &random))" }
      return "{" + members.joined(separator: ",") + "}"
    }
    let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    return Data(
      """
      {"sessionId":"\(id)","exerciseId":"\(id)","setId":"\(id)","phase":"execution",\
      "samples":[\(samples.joined(separator: ","))]}
      """.utf8)
  }

  /// Returns a CSV file with a header.
  static func csv(rows: Int, _ random: inout SplitMix64) -> Data {
    var text = keys.joined(separator: ",") + "\n"
    for row in 0..<rows {
      text += channels.map { "\(value($0, row: row, &random))" }.joined(separator: ",") + "\n"
    }
    return Data(text.utf8)
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014), which gives the same numbers in every run.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
