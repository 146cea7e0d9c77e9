/// Limits on the resources for decoding a timeline.
public struct TimelineLimits: Sendable, Hashable {
  /// Maximum size of the decoded columns, in bytes: eight per value.
  public var decodedBytes: Int
  /// Maximum number of sections in a container.
  public var sections: Int

  public init(decodedBytes: Int = 1 << 29, sections: Int = 1024) {
    self.decodedBytes = decodedBytes
    self.sections = sections
  }

  /// 512 MiB of decoded columns (5 million samples of 13 columns), 1,024 sections.
  public static let standard = TimelineLimits()

  /// Returns limits for a timeline of `byteCount` bytes, which grow with its size beyond the standard.
  package static func reading(_ byteCount: Int) -> TimelineLimits {
    let (decoded, overflow) = byteCount.multipliedReportingOverflow(by: 64)
    return TimelineLimits(decodedBytes: max(standard.decodedBytes, overflow ? 0 : decoded))
  }
}
