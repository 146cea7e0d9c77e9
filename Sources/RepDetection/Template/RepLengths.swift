import SignalProcessing

/// The lengths of rep that a search tries, in lanes of four: lane `l` of quad `q` is a rep of
/// `shortest + 4 q + 3 − l` steps, so that reps that end at the same step begin at successive ones.
struct RepLengths: Codable {
  let shortest: Int
  let longest: Int
  private let typical: Double

  /// What a search needs to know of four lengths.
  struct Quad: Codable {
    /// One over the number of points.
    var inversePoints = SIMD4<Float>()
    /// Length in typical lengths.
    var scale = SIMD4<Float>()
    /// What a rep loses by its length, ln² of the share; infinite in lanes beyond the longest.
    var cost = SIMD4<Float>()
  }

  var quadCount: Int { (longest - shortest + 4) / 4 }

  /// - Parameters:
  ///   - typical: length, in steps, below a million.
  ///   - ratio: how many times as long or as short a rep may be.
  init(typical: Double, ratio: Double) {
    shortest = max(2, Int(typical / ratio))
    longest = max(shortest, Int((typical * ratio).rounded(.up)))
    self.typical = typical
  }

  func quad(_ quad: Int) -> Quad {
    var result = Quad()
    for lane in 0..<4 {
      let d = shortest + 4 * quad + 3 - lane
      let share = Float(Double(d) / typical)
      let log = Math.log(share)
      result.inversePoints[lane] = 1 / Float(d + 1)
      result.scale[lane] = share
      result.cost[lane] = d <= longest ? log * log : .infinity
    }
    return result
  }
}
