/// What a decoder is willing to make out of a timeline.
public struct TimelineLimits: Sendable, Hashable {
  /// Bytes of decoded columns, eight a value.
  public var decodedBytes: Int
  /// Sections of a container.
  public var sections: Int

  public init(decodedBytes: Int = 1 << 29, sections: Int = 1024) {
    self.decodedBytes = decodedBytes
    self.sections = sections
  }

  /// 512 MiB of decoded columns (5 million samples of 13 columns), 1,024 sections.
  public static let standard = TimelineLimits()

  /// For timelines of so many bytes: beyond the standard, samples take their space in them.
  package static func reading(_ byteCount: Int) -> TimelineLimits {
    let (decoded, overflow) = byteCount.multipliedReportingOverflow(by: 64)
    return TimelineLimits(decodedBytes: max(standard.decodedBytes, overflow ? 0 : decoded))
  }
}
