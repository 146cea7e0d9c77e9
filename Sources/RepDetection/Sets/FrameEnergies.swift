/// How strongly the wrist moves in parts of a window: the mean square of all nine channels about
/// their mean in the part, each group of channels divided by its deviation in the whole window,
/// so that gravity, rotation and acceleration weigh the same.
struct FrameEnergies {
  /// Running sums of the nine channels and of their squared length, one more than frames.
  private var sums: [(SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)]
  private var squares: [Double]

  init(_ frames: ArraySlice<MotionFrame>) {
    let mean = ChannelStatistics.mean(of: frames)
    let (gravity, rotation, acceleration) = Self.scales(of: frames, about: mean)
    sums = []
    squares = []
    sums.reserveCapacity(frames.count + 1)
    squares.reserveCapacity(frames.count + 1)
    sums.append((.zero, .zero, .zero))
    squares.append(0)
    var sum = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    var square = 0.0
    for frame in frames {
      let g = (frame.gravity - mean.gravity) * gravity
      let w = (frame.rotation - mean.rotation) * rotation
      let a = (frame.userAcceleration - mean.userAcceleration) * acceleration
      sum.0 += g
      sum.1 += w
      sum.2 += a
      square += Double((g * g).sum() + (w * w).sum() + (a * a).sum())
      sums.append(sum)
      squares.append(square)
    }
  }

  /// One over the deviation of each group of channels, all three axes together.
  private static func scales(
    of frames: ArraySlice<MotionFrame>, about mean: MotionFrame
  ) -> (Float, Float, Float) {
    var squares = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    for frame in frames {
      let g = frame.gravity - mean.gravity
      let w = frame.rotation - mean.rotation
      let a = frame.userAcceleration - mean.userAcceleration
      squares.0 += g * g
      squares.1 += w * w
      squares.2 += a * a
    }
    let n = Float(max(frames.count, 1))
    func scale(_ squares: SIMD4<Float>) -> Float {
      Float(1 / max(Double(squares.sum() / n).squareRoot(), 1e-4))
    }
    return (scale(squares.0), scale(squares.1), scale(squares.2))
  }

  /// Of the frames in a span of their offsets; 0 for none.
  func meanSquare(in span: ClosedRange<Int>) -> Float {
    let from = max(span.lowerBound, 0)
    let to = min(span.upperBound + 1, squares.count - 1)
    guard to > from else { return 0 }
    let n = Float(to - from)
    let g = (sums[to].0 - sums[from].0) / n
    let w = (sums[to].1 - sums[from].1) / n
    let a = (sums[to].2 - sums[from].2) / n
    let square = Float(squares[to] - squares[from]) / n
    return max(0, square - (g * g).sum() - (w * w).sum() - (a * a).sum())
  }
}
