/// The kind of a section in a timeline.
///
/// The raw values are stored, and never reused or renumbered; 3 and 9 belonged to development versions.
/// Unknown types are legal: they are skipped when reading and kept when writing.
public struct TimelineSectionType: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let samples = TimelineSectionType(rawValue: 1)
  public static let phases = TimelineSectionType(rawValue: 2)
  public static let countedSet = TimelineSectionType(rawValue: 4)
  public static let provenance = TimelineSectionType(rawValue: 5)
  public static let identity = TimelineSectionType(rawValue: 6)
  public static let movementCurve = TimelineSectionType(rawValue: 7)
  public static let health = TimelineSectionType(rawValue: 8)

  /// True if a reader to which the type is unknown must reject the timeline.
  public var isCritical: Bool { rawValue & 0x8000 != 0 }

  private static let names: [TimelineSectionType: String] = [
    .samples: "samples", .phases: "phases", .countedSet: "countedSet", .provenance: "provenance",
    .identity: "identity", .movementCurve: "movementCurve", .health: "health",
  ]

  /// The name in the format's document; the number of a type that it does not name.
  public var name: String { Self.names[self] ?? "section \(rawValue)" }

  /// True if this version reads sections of the type. A container holds at most one of each.
  var isKnown: Bool { Self.names[self] != nil }
}
