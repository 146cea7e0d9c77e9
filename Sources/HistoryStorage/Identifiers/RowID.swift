/// A row number in a history. `Record` is its kind, such as user, set or workout; kinds are different types.
///
/// A row number is valid only in its own file. Across files, use a uuid or key.
public struct RowID<Record>: RawRepresentable, Hashable, Sendable, Codable {
  public var rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

extension RowID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension RowID: LosslessStringConvertible {
  public init?(_ description: String) {
    guard let number = Int64(description) else { return nil }
    self.init(number)
  }

  public var description: String { "\(rawValue)" }
}
