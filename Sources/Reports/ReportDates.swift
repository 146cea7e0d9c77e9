import Foundation
import TextFormats

/// Days and times of a report, in one time zone.
struct ReportDates: Sendable {
  var zone: TimeZone

  /// Returns seconds since 1970 on the zone's clock; nil for dates outside of the years 0 to 9999.
  private func local(_ unixTime: Double?) -> Double? {
    guard let unixTime, (-6e10..<2.5e11).contains(unixTime) else { return nil }
    return unixTime + Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: unixTime)))
  }

  /// Returns days since 1970.
  func day(_ unixTime: Double?) -> Int? {
    local(unixTime).map { Int(($0 / 86_400).rounded(.down)) }
  }

  /// Returns hours and minutes; nil in a day's first hour, where labels without a time start.
  func time(_ unixTime: Double?) -> String? {
    guard let local = local(unixTime) else { return nil }
    let minutes = Int((local / 60).rounded(.down)) - (day(unixTime) ?? 0) * 1440
    return minutes < 60 ? nil : String(format: "%02d:%02d", minutes / 60, minutes % 60)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns a day such as `24 Nov 2026`.
  static func text(_ day: Int, hasYear: Bool = true) -> String {
    let parts = DateText.day(day).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return DateText.day(day) }
    return "\(parts[2]) \(months[parts[1] - 1])" + (hasYear ? " \(parts[0])" : "")
  }

  /// Returns a range of days as text.
  static func text(from first: Int, to last: Int) -> String {
    guard first != last else { return text(first) }
    let isOneYear = year(first) == year(last)
    return "\(text(first, hasYear: !isOneYear)) to \(text(last))"
  }

  static func year(_ day: Int) -> Substring { DateText.day(day).prefix(4) }
}
