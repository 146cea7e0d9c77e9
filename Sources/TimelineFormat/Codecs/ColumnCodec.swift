/// The encoding of a column of a block.
///
/// The raw values are written into stored timelines. They are never reused or renumbered.
package enum ColumnCodec: UInt8, CaseIterable, Sendable, Hashable {
  /// The bits of every value, eight bytes each.
  case raw = 0
  /// One value for all rows.
  case constant = 1
  /// The values' first bytes, then all second bytes, …, compressed as an LZ4 block.
  case shuffledLZ4 = 2
  /// Scaled integers, predicted from earlier ones.
  case scaledIntegers = 7
  /// Coarse integers, predicted from earlier ones, and the bits below them.
  case splitFloats = 8
  /// Gravity computed from roll and pitch.
  case derivedGravity = 5
  /// User acceleration on the accelerometer's lattice, less the gravity computed from roll and pitch.
  case accelerationLattice = 9

  /// True for scaled integers and split floats.
  var isQuantized: Bool { self == .scaledIntegers || self == .splitFloats }

  /// The name in the format's document.
  package var name: String {
    switch self {
    case .raw: "raw"
    case .constant: "constant"
    case .shuffledLZ4: "shuffled LZ4"
    case .scaledIntegers: "scaled integers"
    case .splitFloats: "split floats"
    case .derivedGravity: "derived gravity"
    case .accelerationLattice: "acceleration lattice"
    }
  }
}
