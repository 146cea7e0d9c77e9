import MotionFrames
import SignalProcessing

/// Means and covariances of the ten channels over a window of frames.
package struct ChannelStatistics {
  /// Number of channels: three of gravity, three of rotation, three of acceleration, and vertical velocity.
  package static let channelCount = 10
  package let mean: MotionFrame
  /// Covariance matrix, channels × channels, by rows.
  package let covariance: [Double]

  package init(_ frames: ArraySlice<MotionFrame>) {
    let n = Float(max(frames.count, 1))
    var (gravity, rotation, acceleration) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    for f in frames {
      gravity += f.gravity
      rotation += f.rotation
      acceleration += f.userAcceleration
    }
    let mean = MotionFrame(
      gravity: gravity / n, rotation: rotation / n, userAcceleration: acceleration / n)
    // Rows of the blocks on and above the diagonal: gravity with all groups, rotation with rotation and
    // acceleration, acceleration with itself.
    var products = [SIMD4<Float>](repeating: SIMD4(), count: 3 * Self.channelCount)
    products.withUnsafeMutableBufferPointer { p in
      for f in frames {
        let g = f.gravity - mean.gravity
        let w = f.rotation - mean.rotation
        let a = f.userAcceleration - mean.userAcceleration
        for i in 0..<3 {
          let row = i * 3
          p[row] += g * g[i]
          p[row + 1] += w * g[i]
          p[row + 2] += a * g[i]
          p[row + 10] += w * w[i]
          p[row + 11] += a * w[i]
          p[row + 20] += a * a[i]
        }
        p[29] += a * a.w
      }
    }
    let channels = Self.channelCount
    var covariance = [Double](repeating: 0, count: channels * channels)
    for row in 0..<channels {
      for column in 0..<channels {
        let (r, c) = Self.group(of: row) <= Self.group(of: column) ? (row, column) : (column, row)
        let group = Self.group(of: c)
        covariance[row * channels + column] = Double(products[r * 3 + group][c - 3 * group] / n)
      }
    }
    self.mean = mean
    self.covariance = covariance
  }

  /// Returns the group of a channel: 0 gravity, 1 rotation, 2 acceleration.
  package static func group(of channel: Int) -> Int { min(channel / 3, 2) }

  /// Returns the standard deviation of all channels of a group together.
  package func deviation(ofGroup group: Int) -> Double {
    let variance = (0..<Self.channelCount).reduce(0.0) {
      Self.group(of: $1) == group ? $0 + covariance[$1 * (Self.channelCount + 1)] : $0
    }
    return max(0, variance).squareRoot()
  }

  /// Returns the first two principal axes of a group's three axes.
  package func axes(ofGroup group: Int) -> (SIMD4<Float>, SIMD4<Float>) {
    let first = 3 * group
    var block = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        block[row * 3 + column] = covariance[(first + row) * Self.channelCount + first + column]
      }
    }
    let vectors = PrincipalAxes.of(block, order: 3).vectors
    return (
      SIMD4(Float(vectors[0][0]), Float(vectors[0][1]), Float(vectors[0][2]), 0),
      SIMD4(Float(vectors[1][0]), Float(vectors[1][1]), Float(vectors[1][2]), 0)
    )
  }
}
