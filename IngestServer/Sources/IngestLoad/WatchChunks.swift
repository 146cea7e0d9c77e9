import Foundation

/// Chunk files as the watch app writes them: a JSON array of 100 samples at 50 Hz.
///
/// All watches make equal movements. The magnetic field encodes the watch, so that mixed-up samples are
/// detected.
struct WatchChunks: Sendable {
  private struct Template: Sendable {
    var text: [UInt8]
    /// Offsets of the watch's number in the text.
    var places: [Int]
  }

  static let samples = 100
  static let rateHz = 50.0
  private static let mark = Array("#####".utf8)
  private let templates: [Template]

  init(count: Int) {
    templates = (0..<count).map { index in
      let rows = (0..<Self.samples).map { row in
        Self.sample(time: (Double(index * Self.samples) + Double(row)) / Self.rateHz)
      }
      var text = Array(("[" + rows.joined(separator: ",") + "]").utf8)
      var places: [Int] = []
      for place in text.indices where text[place] == Self.mark[0] {
        if place + Self.mark.count <= text.count,
          Array(text[place..<place + Self.mark.count]) == Self.mark
        {
          places.append(place)
          for offset in Self.mark.indices { text[place + offset] = UInt8(ascii: "0") }
        }
      }
      return Template(text: text, places: places)
    }
  }

  private static func sample(time: Double) -> String {
    let angle = 2 * Double.pi * time / 2.5
    let tilt = cos(angle)
    func number(_ value: Double) -> String { String(format: "%.6f", value) }
    let values: [(String, String)] = [
      ("timestamp", String(format: "%.3f", 1000 + time)),
      ("accelerationX", number(0.2 * cos(angle))), ("accelerationY", number(0.05 * sin(angle))),
      ("accelerationZ", number(0.02)), ("rotationX", number(2.4 * sin(angle))),
      ("rotationY", number(0.1 * cos(2 * angle))), ("rotationZ", number(0.05)),
      ("gravityX", number(sin(tilt))), ("gravityY", number(0)), ("gravityZ", number(-cos(tilt))),
      ("attitudeRoll", number(tilt)), ("attitudePitch", number(0.1)), ("attitudeYaw", number(0.2)),
      ("magneticFieldX", "1#####"),
    ]
    return "{" + values.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Returns a chunk of a watch, whose number is below 100,000.
  func body(_ index: Int, watch: Int) -> [UInt8] {
    let template = templates[index]
    var text = template.text
    let digits = Array(String(format: "%05d", watch).utf8)
    text.withUnsafeMutableBytes { bytes in
      for place in template.places {
        for offset in digits.indices { bytes[place + offset] = digits[offset] }
      }
    }
    return text
  }
}
