import Foundation

/// The growth of one figure with another.
struct Curve: Codable {
  struct Point: Codable {
    var x: Double
    var y: Double
  }

  var group = "scaling"
  var curve: String
  var x: String
  var y: String
  var points: [Point]

  /// The exponent of a power law: the slope of the line through the points on logarithmic axes.
  var exponent: Double {
    let logs = points.filter { $0.x > 0 && $0.y > 0 }.map { (log($0.x), log($0.y)) }
    guard logs.count > 1 else { return .nan }
    let count = Double(logs.count)
    let meanX = logs.reduce(0) { $0 + $1.0 } / count
    let meanY = logs.reduce(0) { $0 + $1.1 } / count
    let covariance = logs.reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
    let variance = logs.reduce(0) { $0 + ($1.0 - meanX) * ($1.0 - meanX) }
    return covariance / variance
  }

  var lines: [String] {
    ["\(curve): \(y) grows as \(x) to the power \(String(format: "%.2f", exponent))"]
      + points.map { "  \(Int($0.x)) \(x): \(String(format: "%.4g", $0.y)) \(y)" }
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
