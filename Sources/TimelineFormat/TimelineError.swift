/// What can be wrong with a timeline's bytes, or with what was to be written.
public enum TimelineError: Error, Sendable, Hashable {
  /// The bytes do not begin with a timeline's magic number.
  case notATimeline
  /// Written by a newer version of the format, whose layout this reader does not know.
  case newerFormat(major: Int)
  /// The bytes end, or a part ends, before what it must hold. `place` names the part.
  case truncated(place: String)
  /// The stored checksum does not match the bytes.
  case checksumMismatch(place: String)
  /// The bytes contradict the format's rules.
  case malformed(place: String, reason: String)
  /// A section that a reader must understand, of a type that this reader does not know.
  case unknownCriticalSection(type: Int)
  /// A column is coded in a way that this reader does not know.
  case unknownCodec(id: Int, place: String)
  /// The section is not there.
  case missingSection(TimelineSectionType)
  /// Decoding would exceed the reader's limit, or encoding a limit of the format.
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
