import Foundation

/// Dates for people.
enum DateText {
  /// Year, month, day and time of day in UTC.
  static func utc(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        .year().month().day().time(includingFractionalSeconds: false))
  }

  /// Year, month and day of a day since 1970.
  static func day(_ day: Int) -> String {
    String(utc(Date(timeIntervalSince1970: Double(day) * 86_400)).prefix(10))
  }
}
