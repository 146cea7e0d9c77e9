#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates as text.
package enum DateText {
  /// Formats a time for programs, such as `2026-11-22T18:00:00Z`.
  ///
  /// - Parameter unixTime: Seconds since 1970.
  package static func iso8601(_ unixTime: Double) -> String {
    Date(timeIntervalSince1970: unixTime).formatted(.iso8601)
  }

  /// Formats a time for spreadsheets: local time with its offset, such as `2026-11-22T19:00:00+01:00`.
  ///
  /// - Parameter unixTime: Seconds since 1970.
  package static func localISO8601(_ unixTime: Double) -> String {
    let offset = LocalTime.offset(atUnixTime: unixTime)
    guard offset != 0 else { return iso8601(unixTime) }
    func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let minutes = abs(offset) / 60
    return iso8601(unixTime + Double(offset)).dropLast() + (offset < 0 ? "-" : "+")
      + twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
  }

  /// Formats a date for people: day, local time and time zone. Omits the time in a day's first hour, when
  /// recordings begin whose label has a date without a time.
  package static func local(_ date: Date) -> String {
    let unixTime = date.timeIntervalSince1970
    let text = utc(date + Double(LocalTime.offset(atUnixTime: unixTime)))
    return text.contains(" 00:")
      ? String(text.prefix(10))
      : text.prefix(16) + " " + LocalTime.zoneName(atUnixTime: unixTime)
  }

  /// Formats a date as year, month, day and time of day, in UTC.
  package static func utc(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        .year().month().day().time(includingFractionalSeconds: false))
  }

  /// Formats a day since 1970 as year, month and day.
  package static func day(_ day: Int) -> String {
    String(utc(Date(timeIntervalSince1970: Double(day) * 86_400)).prefix(10))
  }
}
