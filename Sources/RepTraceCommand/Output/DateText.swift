import Foundation

/// Dates for people.
enum DateText {
  /// Year, month, day and time of day in UTC.
  static func utc(_ unixTime: Double) -> String {
    Date(timeIntervalSince1970: unixTime).formatted(
      Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        .year().month().day().time(includingFractionalSeconds: false))
  }

  /// Year, month and day of a day since 1970.
  static func day(_ day: Int) -> String { String(utc(Double(day) * 86_400).prefix(10)) }
}
