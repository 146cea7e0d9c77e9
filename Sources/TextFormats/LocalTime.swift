#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time zone of this machine, as the C library knows it.
package enum LocalTime {
  /// Seconds by which local time is ahead of UTC at an instant.
  package static func offset(atUnixTime unixTime: Double) -> Int {
    parts(unixTime)?.tm_gmtoff ?? 0
  }

  /// The zone's name at an instant, such as `CET`.
  package static func zoneName(atUnixTime unixTime: Double) -> String {
    parts(unixTime).flatMap { $0.tm_zone.map { String(cString: $0) } } ?? "UTC"
  }

  /// The instant at which local clocks show what UTC clocks show at `unixTime`.
  package static func unixTime(ofClockTime unixTime: Double) -> Double {
    let guess = unixTime - Double(offset(atUnixTime: unixTime))
    return unixTime - Double(offset(atUnixTime: guess))
  }

  private static func parts(_ unixTime: Double) -> tm? {
    // Years that dates are written in.
    guard (-6e10..<2.5e11).contains(unixTime) else { return nil }
    var time = time_t(unixTime.rounded(.down))
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? nil : parts
  }
}
