/// What a decoder is willing to make out of a timeline.
public struct TimelineLimits: Sendable, Hashable {
  /// Bytes of decoded columns, eight a value.
  public var decodedBytes: Int
  /// Sections of a container.
  public var sections: Int

  public init(decodedBytes: Int = 1 << 31, sections: Int = 1024) {
    self.decodedBytes = decodedBytes
    self.sections = sections
  }

  /// 2 GiB of decoded columns (20 million samples of 13 columns), 1,024 sections.
  public static let standard = TimelineLimits()
}
