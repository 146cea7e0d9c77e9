/// Means and covariances of the nine channels over a stretch of frames.
struct StretchStatistics {
  /// Of gravity, rotation and acceleration.
  typealias Mean = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

  let mean: Mean
  /// 9 × 9, row by row: gravity, rotation, acceleration.
  let covariance: [Double]

  init(_ frames: ArraySlice<MotionFrame>) {
    let n = Float(max(frames.count, 1))
    let mean = Self.mean(of: frames)
    // Rows of the blocks on and above the diagonal: gravity with all, rotation with rotation and
    // acceleration, acceleration with itself.
    let products = Self.products(frames, about: mean)
    var covariance = [Double](repeating: 0, count: 81)
    for row in 0..<9 {
      for column in 0..<9 {
        let (r, c) = row / 3 <= column / 3 ? (row, column) : (column, row)
        covariance[row * 9 + column] = Double(products[r * 3 + c / 3][c % 3] / n)
      }
    }
    self.mean = mean
    self.covariance = covariance
  }

  /// Sums of products, three vectors to a row. In two passes, so that the sums of each stay in
  /// registers.
  private static func products(
    _ frames: ArraySlice<MotionFrame>, about mean: Mean
  ) -> [SIMD4<Float>] {
    var result: [SIMD4<Float>] = []
    frames.withUnsafeBufferPointer { frames in
      var (gg0, gg1, gg2) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
      var (gw0, gw1, gw2) = (gg0, gg0, gg0)
      var (ga0, ga1, ga2) = (gg0, gg0, gg0)
      for f in frames {
        let g = f.gravity - mean.0
        let w = f.rotation - mean.1
        let a = f.userAcceleration - mean.2
        gg0 += g * g.x
        gw0 += w * g.x
        ga0 += a * g.x
        gg1 += g * g.y
        gw1 += w * g.y
        ga1 += a * g.y
        gg2 += g * g.z
        gw2 += w * g.z
        ga2 += a * g.z
      }
      var (ww0, ww1, ww2) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
      var (wa0, wa1, wa2) = (ww0, ww0, ww0)
      var (aa0, aa1, aa2) = (ww0, ww0, ww0)
      for f in frames {
        let w = f.rotation - mean.1
        let a = f.userAcceleration - mean.2
        ww0 += w * w.x
        wa0 += a * w.x
        ww1 += w * w.y
        wa1 += a * w.y
        ww2 += w * w.z
        wa2 += a * w.z
        aa0 += a * a.x
        aa1 += a * a.y
        aa2 += a * a.z
      }
      let none = SIMD4<Float>()
      result = [
        gg0, gw0, ga0, gg1, gw1, ga1, gg2, gw2, ga2,
        none, ww0, wa0, none, ww1, wa1, none, ww2, wa2,
        none, none, aa0, none, none, aa1, none, none, aa2,
      ]
    }
    return result
  }

  static func mean(of frames: ArraySlice<MotionFrame>) -> Mean {
    let n = Float(max(frames.count, 1))
    var sum = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    for f in frames {
      sum.0 += f.gravity
      sum.1 += f.rotation
      sum.2 += f.userAcceleration
    }
    return (sum.0 / n, sum.1 / n, sum.2 / n)
  }

  /// Standard deviation of all three axes of a group together: 0 gravity, 1 rotation,
  /// 2 acceleration.
  func deviation(ofGroup group: Int) -> Double {
    let i = group * 3
    return max(0, covariance[i * 10] + covariance[(i + 1) * 10] + covariance[(i + 2) * 10])
      .squareRoot()
  }

  /// The first two principal axes of a group.
  func axes(ofGroup group: Int) -> (SIMD4<Float>, SIMD4<Float>) {
    var block = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        block[row * 3 + column] = covariance[(group * 3 + row) * 9 + group * 3 + column]
      }
    }
    let vectors = PrincipalAxes.of(block, order: 3).vectors
    return (
      SIMD4(Float(vectors[0][0]), Float(vectors[0][1]), Float(vectors[0][2]), 0),
      SIMD4(Float(vectors[1][0]), Float(vectors[1][1]), Float(vectors[1][2]), 0)
    )
  }
}
