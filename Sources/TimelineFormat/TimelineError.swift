/// An error in the bytes of a timeline, or in a timeline to be encoded.
public enum TimelineError: Error, Sendable, Hashable {
  /// The bytes do not begin with a timeline's magic number.
  case notATimeline
  /// Written in a newer major version of the format, which this reader cannot read.
  case newerFormat(major: Int)
  /// The bytes, or a part of them named by `place`, are incomplete.
  case truncated(place: String)
  /// The stored checksum does not match the bytes.
  case checksumMismatch(place: String)
  /// The bytes contradict the format's rules.
  case malformed(place: String, reason: String)
  /// A critical section of a type that is unknown to this reader.
  case unknownCriticalSection(type: Int)
  /// A column uses a codec that is unknown to this reader.
  case unknownCodec(id: Int, place: String)
  /// The section does not exist.
  case missingSection(TimelineSectionType)
  /// Decoding would exceed the reader's limits, or encoding a limit of the format.
  case tooLarge(place: String)
}

extension TimelineError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notATimeline: "not a timeline: its first eight bytes are not those of one"
    case .newerFormat(let major):
      "written in version \(major) of the timeline format, newer than this program knows"
    case .truncated(let place): "the timeline ends inside its \(place)"
    case .checksumMismatch(let place): "the checksum of the timeline's \(place) does not match"
    case .malformed(let place, let reason): "the timeline's \(place) is malformed: \(reason)"
    case .unknownCriticalSection(let type):
      "the timeline has a section of type \(type), which a reader has to know and this does not"
    case .unknownCodec(let id, let place):
      "the timeline's \(place) is coded with codec \(id), which this program does not know"
    case .missingSection(let type): "the timeline has no section \(type.name)"
    case .tooLarge(let place): "the timeline's \(place) exceeds the limit"
    }
  }
}
