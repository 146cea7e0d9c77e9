/// A permanent key of a record: the uuid or key of an exercise, a plan or a set, depending on `Record`. Keys
/// of different kinds are different types.
///
/// Unlike a ``RowID``, it is valid in every copy of a history. Any text is a key; an unknown one is not
/// found. Code for records of every kind, such as the sync, uses plain text with the kind.
public struct RecordKey<Record>: RawRepresentable, Hashable, Sendable, Codable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// Converts the key of a record from which another record takes its key.
  package init<Other>(_ other: RecordKey<Other>) { rawValue = other.rawValue }
}

extension RecordKey: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension RecordKey: LosslessStringConvertible {
  public init(_ description: String) { self.init(rawValue: description) }

  public var description: String { rawValue }
}
