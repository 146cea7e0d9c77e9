import Foundation
import TextFormats

/// A linear scale from values to pixels, with round ticks.
struct AxisScale {
  var domain: ClosedRange<Double>
  /// Positions of the domain's ends, in pixels.
  var low: Double
  var high: Double

  func callAsFunction(_ value: Double) -> Double {
    let width = domain.upperBound - domain.lowerBound
    guard width > 0 else { return (low + high) / 2 }
    guard value.isFinite else { return value > 0 ? high : low }
    let place = low + (value - domain.lowerBound) / width * (high - low)
    // Clamp far positions, so that drawing code need not handle large numbers.
    return min(max(place, -1e6), 1e6)
  }

  /// Returns at most `count` round values in the domain: 1, 2 or 5 times a power of ten apart, or a round
  /// part of a minute for times of more than two minutes.
  static func ticks(_ domain: ClosedRange<Double>, atMost count: Int, isTime: Bool = false)
    -> [Double]
  {
    let width = domain.upperBound - domain.lowerBound
    guard width > 0, width.isFinite, count > 0 else { return [domain.lowerBound] }
    let least = width / Double(count)
    var step = pow(10, floor(log10(least)))
    step = [1, 2, 5, 10].map { $0 * step }.first { $0 >= least * 0.999 } ?? step * 10
    if isTime, width > 120 {
      step =
        [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200].first { $0 >= least } ?? step
    }
    let first = (domain.lowerBound / step).rounded(.up)
    let last = (domain.upperBound / step).rounded(.down)
    guard last >= first, last - first < 100 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// Returns seconds as a label of an axis that spans `width` seconds.
  static func timeLabel(_ seconds: Double, width: Double) -> String {
    guard width > 120, seconds >= 0, seconds < 1e9 else { return number(seconds) }
    let whole = Int(seconds.rounded())
    let tail = String(format: "%02d", whole % 60)
    guard width > 3600 || whole >= 3600 else { return "\(whole / 60):\(tail)" }
    return "\(whole / 3600):\(String(format: "%02d", whole / 60 % 60)):\(tail)"
  }

  static func number(_ value: Double) -> String {
    let text = JSONObjectText.number(value, decimals: 3)
    return text.hasPrefix("-") ? "−" + text.dropFirst() : text
  }
}
