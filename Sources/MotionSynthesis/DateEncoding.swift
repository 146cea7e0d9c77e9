/// The encoding of dates in a sample's `capturedAt` and in metadata.
package enum DateEncoding: String, Sendable, Hashable, CaseIterable, Codable {
  case seconds1970, milliseconds1970
  /// Swift's default: seconds since 2001-01-01.
  case seconds2001
  /// Text with whole seconds, in UTC.
  case iso8601
}
