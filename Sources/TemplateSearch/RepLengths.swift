import MotionFrames

/// The rep lengths that a search tries, in groups of four lanes. Lane `l` of quad `q` is a rep of
/// `shortest + 4 q + 3 − l` steps, so that reps that end at the same step begin at successive ones.
struct RepLengths: PlainValue {
  let shortest: Int
  let longest: Int
  let typical: Double

  var quadCount: Int { (longest - shortest + 4) / 4 }

  /// - Parameters:
  ///   - typical: Typical length, in steps; below a million.
  ///   - ratio: Maximum ratio of a rep's length to the typical one, in either direction.
  init(typical: Double, ratio: Double) {
    shortest = max(2, Int(typical / ratio))
    longest = max(shortest, Int((typical * ratio).rounded(.up)))
    self.typical = typical
  }
}
