import Foundation

/// The result of a contest, printed as a table and written as a line of JSON.
struct ContestResult: Codable {
  struct Entry: Codable {
    var name: String
    /// Speed of the median run, in the contest's unit per second; ``bestRate`` is that of the fastest.
    var rate: Double
    var bestRate: Double
    /// Our speed divided by this rival's: median, minimum and maximum of the repetitions. Nil for ours.
    var ratio: Double?
    var lowestRatio: Double?
    var highestRatio: Double?
    var wanted: Double?
    var figures: [String: Double]
  }

  var group = ""
  var title: String
  var unit: String
  var repetitions: Int
  var wantedRate: Double?
  var entries: [Entry]
  /// Rivals that could not take part, with the reason.
  var leftOut: [String: String] = [:]

  var lines: [String] {
    [title]
      + entries.map { entry in
        var line = "  \(pad(entry.name, 40)) \(pad(rounded(entry.rate), 10)) \(unit)/s"
        if group == "floors" {
          if let ratio = entry.ratio { line += "   \(rounded(100 * ratio)) % of ours" }
        } else if let ratio = entry.ratio, let low = entry.lowestRatio,
          let high = entry.highestRatio
        {
          line += "   ours is \(rounded(ratio)) times as fast (\(rounded(low)) to \(rounded(high)))"
          if let wanted = entry.wanted { line += ", wanted \(rounded(wanted))" }
        } else if let wantedRate {
          line += "   wanted \(rounded(wantedRate))"
        }
        for (name, value) in entry.figures.sorted(by: { $0.key < $1.key }) {
          line += "   \(name) \(rounded(value))"
        }
        return line
      }
      + leftOut.sorted { $0.key < $1.key }.map { "  \($0.key) is left out: \($0.value)" }
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

private func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

private func rounded(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  return value >= 100 ? String(Int(value.rounded())) : String((value * 100).rounded() / 100)
}
