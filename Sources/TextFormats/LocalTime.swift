#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The machine's time zone, from the C library.
package enum LocalTime {
  /// Returns the offset of local time from UTC at an instant, in seconds.
  package static func offset(atUnixTime unixTime: Double) -> Int {
    parts(unixTime)?.tm_gmtoff ?? 0
  }

  /// Returns the zone's name at an instant, such as `CET`.
  package static func zoneName(atUnixTime unixTime: Double) -> String {
    parts(unixTime).flatMap { $0.tm_zone.map { String(cString: $0) } } ?? "UTC"
  }

  /// Returns the instant at which local clocks show the time that UTC clocks show at `unixTime`.
  package static func unixTime(ofClockTime unixTime: Double) -> Double {
    let guess = unixTime - Double(offset(atUnixTime: unixTime))
    return unixTime - Double(offset(atUnixTime: guess))
  }

  private static func parts(_ unixTime: Double) -> tm? {
    // Limit to years that dates are written in.
    guard (-6e10..<2.5e11).contains(unixTime) else { return nil }
    var time = time_t(unixTime.rounded(.down))
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? nil : parts
  }
}
