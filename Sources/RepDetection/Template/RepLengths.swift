/// The lengths of rep that a search tries, in lanes of four: lane `l` of quad `q` is a rep of
/// `shortest + 4 q + 3 − l` steps, so that reps that end at the same step begin at successive ones.
struct RepLengths {
  let shortest: Int
  let longest: Int
  /// One over the number of points.
  let inversePoints: [SIMD4<Float>]
  /// Length in typical lengths.
  let scale: [SIMD4<Float>]
  /// What a rep loses by its length; infinite in lanes beyond the longest.
  let cost: [SIMD4<Float>]

  var quadCount: Int { scale.count }

  /// - Parameters:
  ///   - lengths: in steps.
  ///   - typical: length, in steps.
  ///   - penalty: for ln² of length over typical length.
  init(_ lengths: ClosedRange<Int>, typical: Double, penalty: Float) {
    shortest = lengths.lowerBound
    longest = lengths.upperBound
    let quads = (lengths.count + 3) / 4
    var inversePoints = [SIMD4<Float>](repeating: SIMD4(), count: quads)
    var scale = inversePoints
    var cost = inversePoints
    for quad in 0..<quads {
      for lane in 0..<4 {
        let d = shortest + 4 * quad + 3 - lane
        let share = Float(Double(d) / typical)
        let log = Math.log(share)
        inversePoints[quad][lane] = 1 / Float(d + 1)
        scale[quad][lane] = share
        cost[quad][lane] = d <= longest ? penalty * log * log : .infinity
      }
    }
    self.inversePoints = inversePoints
    self.scale = scale
    self.cost = cost
  }
}
