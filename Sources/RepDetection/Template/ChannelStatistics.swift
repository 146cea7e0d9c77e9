import SignalProcessing

/// Means and covariances of the nine channels over a window of frames.
struct ChannelStatistics {
  let mean: MotionFrame
  /// 9 × 9, row by row: gravity, rotation, acceleration.
  let covariance: [Double]

  init(_ frames: ArraySlice<MotionFrame>) {
    let n = Float(max(frames.count, 1))
    let mean = Self.mean(of: frames)
    // Rows of the blocks on and above the diagonal: gravity with all, rotation with rotation and
    // acceleration, acceleration with itself.
    var products = [SIMD4<Float>](repeating: SIMD4(), count: 27)
    products.withUnsafeMutableBufferPointer { p in
      for f in frames {
        let g = f.gravity - mean.gravity
        let w = f.rotation - mean.rotation
        let a = f.userAcceleration - mean.userAcceleration
        for i in 0..<3 {
          p[i * 3] += g * g[i]
          p[i * 3 + 1] += w * g[i]
          p[i * 3 + 2] += a * g[i]
          p[9 + i * 3 + 1] += w * w[i]
          p[9 + i * 3 + 2] += a * w[i]
          p[18 + i * 3 + 2] += a * a[i]
        }
      }
    }
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

  static func mean(of frames: ArraySlice<MotionFrame>) -> MotionFrame {
    let n = Float(max(frames.count, 1))
    var gravity = SIMD4<Float>()
    var rotation = SIMD4<Float>()
    var acceleration = SIMD4<Float>()
    for f in frames {
      gravity += f.gravity
      rotation += f.rotation
      acceleration += f.userAcceleration
    }
    return MotionFrame(
      gravity: gravity / n, rotation: rotation / n, userAcceleration: acceleration / n)
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
