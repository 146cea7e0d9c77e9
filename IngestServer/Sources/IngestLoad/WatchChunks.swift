import Foundation

/// Chunk files as the watch app writes them: a JSON array of 100 samples at 50 Hz.
///
/// Watches move at 16 tempos. The magnetic field encodes the watch, so that mixed-up samples are detected.
struct WatchChunks: Sendable {
  private struct Template: Sendable {
    var text: [UInt8]
    /// Offsets of the watch's number in the text.
    var places: [Int]
  }

  static let samples = 100
  static let rateHz = 50.0
  /// Durations of a rep, in seconds.
  private static let periods = (0..<16).map { 1.6 + 0.2 * Double($0) }
  private static let mark = Array("#####".utf8)
  /// Templates by period and by position in the recording.
  private let templates: [[Template]]

  init(count: Int) {
    templates = Self.periods.map { period in
      (0..<count).map { Self.template(at: $0, period: period) }
    }
  }

  private static func template(at index: Int, period: Double) -> Template {
    let rows = (0..<samples).map { row in
      sample(time: (Double(index * samples) + Double(row)) / rateHz, period: period)
    }
    var text = Array(("[" + rows.joined(separator: ",") + "]").utf8)
    var places: [Int] = []
    for place in text.indices where text[place] == mark[0] {
      if place + mark.count <= text.count, Array(text[place..<place + mark.count]) == mark {
        places.append(place)
        for offset in mark.indices { text[place + offset] = UInt8(ascii: "0") }
      }
    }
    return Template(text: text, places: places)
  }

  private static func sample(time: Double, period: Double) -> String {
    let angle = 2 * Double.pi * time / period
    let tilt = cos(angle)
    func number(_ value: Double) -> String { String(format: "%.6f", value) }
    let values: [(String, String)] = [
      ("timestamp", String(format: "%.3f", 1000 + time)),
      ("accelerationX", number(0.2 * cos(angle))), ("accelerationY", number(0.05 * sin(angle))),
      ("accelerationZ", number(0.02)), ("rotationX", number(2 * Double.pi / period * sin(angle))),
      ("rotationY", number(0.1 * cos(2 * angle))), ("rotationZ", number(0.05)),
      ("gravityX", number(sin(tilt))), ("gravityY", number(0)), ("gravityZ", number(-cos(tilt))),
      ("attitudeRoll", number(tilt)), ("attitudePitch", number(0.1)), ("attitudeYaw", number(0.2)),
      ("magneticFieldX", "1#####"),
    ]
    return "{" + values.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Returns a chunk of a watch, whose number is below 100,000.
  func body(_ index: Int, watch: Int) -> [UInt8] {
    let template = templates[watch % templates.count][index]
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
