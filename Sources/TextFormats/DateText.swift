#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates as text, in UTC.
package enum DateText {
  /// For programs, such as `2026-11-22T18:00:00Z`.
  ///
  /// - Parameter unixTime: seconds since 1970.
  package static func iso8601(_ unixTime: Double) -> String {
    Date(timeIntervalSince1970: unixTime).formatted(.iso8601)
  }

  /// For people: year, month, day and time of day.
  package static func utc(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        .year().month().day().time(includingFractionalSeconds: false))
  }

  /// Year, month and day of a day since 1970.
  package static func day(_ day: Int) -> String {
    String(utc(Date(timeIntervalSince1970: Double(day) * 86_400)).prefix(10))
  }
}
