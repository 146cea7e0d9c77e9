/// How the values of one column of one block are coded.
///
/// The raw values are written into stored timelines. They are never reused or renumbered.
public enum ColumnCodec: UInt8, CaseIterable, Sendable, Hashable {
  /// The bits of every value, eight bytes each.
  case raw = 0
  /// One value for all rows.
  case constant = 1
  /// The values' first bytes, then all second bytes, …, compressed as an LZ4 block.
  case shuffledLZ4 = 2

  /// The name in the format's document.
  public var name: String {
    switch self {
    case .raw: "raw"
    case .constant: "constant"
    case .shuffledLZ4: "shuffled LZ4"
    }
  }
}
