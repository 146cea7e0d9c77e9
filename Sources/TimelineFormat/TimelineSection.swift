/// A section of a timeline, not decoded.
public struct TimelineSection: Sendable, Hashable {
  public var type: TimelineSectionType
  public var payload: [UInt8]

  public init(type: TimelineSectionType, payload: [UInt8]) {
    self.type = type
    self.payload = payload
  }
}
