/// A stretch of signal averaged to about fourteen steps per rep, so that the cost of a rep does
/// not depend on its tempo (step 5).
struct PhaseGrid: Sendable {
  /// Frames per step.
  let framesPerStep: Int
  let stepCount: Int
  /// Components per step, in groups of four.
  let groups: Int
  /// Steps × groups.
  let values: [SIMD4<Float>]
  /// Running sums of each component, one column after the other: the sum of component c over steps
  /// a..<b is `sums[c * columnStride + margin + b] - sums[c * columnStride + margin + a]`.
  let sums: [Float]
  /// Running sums of the squared length, of all components and of the first group alone, with the
  /// same margin.
  let squares: [Float]
  let leadingSquares: [Float]
  /// Length of a column of running sums.
  var columnStride: Int { stepCount + 1 + Self.margin }

  /// Entries before step 0 in the running sums, all of them 0, so that four begins at a time may be
  /// looked at.
  static let margin = 4

  /// - Parameter components: frames × groups.
  init(_ components: [SIMD4<Float>], groups g: Int, framesPerStep q: Int) {
    let m = components.count / g / q
    framesPerStep = q
    stepCount = m
    groups = g
    let margin = Self.margin
    let stride = m + 1 + margin
    var values = [SIMD4<Float>](repeating: SIMD4(), count: m * g)
    var sums = [Float](repeating: 0, count: stride * 4 * g)
    var squares = [Float](repeating: 0, count: stride)
    var leadingSquares = squares
    let scale = 1 / Float(q)
    components.withUnsafeBufferPointer { x in
      values.withUnsafeMutableBufferPointer { values in
        sums.withUnsafeMutableBufferPointer { sums in
          for k in 0..<g {
            var running = SIMD4<Float>()
            for t in 0..<m {
              var sum = SIMD4<Float>()
              for j in 0..<q { sum += x[(t * q + j) * g + k] }
              let v = sum * scale
              values[t * g + k] = v
              running += v
              for lane in 0..<4 {
                sums[(4 * k + lane) * stride + margin + t + 1] = running[lane]
              }
            }
          }
        }
        var all = 0.0
        var leading = 0.0
        for t in 0..<m {
          for k in 0..<g {
            let v = values[t * g + k]
            let length = Double((v * v).sum())
            all += length
            if k == 0 { leading += length }
          }
          squares[margin + t + 1] = Float(all)
          leadingSquares[margin + t + 1] = Float(leading)
        }
      }
    }
    self.values = values
    self.sums = sums
    self.squares = squares
    self.leadingSquares = leadingSquares
  }

  /// Frames per step for a typical rep of `period` frames.
  static func framesPerStep(forPeriod period: Double, stepsPerRep: Int) -> Int {
    max(1, Int((min(period, 1000) / Double(stepsPerRep)).rounded()))
  }

  /// The step at a frame.
  func step(ofFrame frame: Double) -> Double {
    (frame + 0.5) / Double(framesPerStep) - 0.5
  }

  /// Addresses, valid within ``withPointers(leading:_:)``. Running sums begin behind their margin.
  struct Pointers {
    let groups: Int
    let columnStride: Int
    let values: UnsafePointer<SIMD4<Float>>
    let sums: UnsafePointer<Float>
    let squares: UnsafePointer<Float>
  }

  /// Runs `body` unless the grid is empty.
  ///
  /// - Parameter leading: whether `squares` are those of the first group alone.
  func withPointers(leading: Bool, _ body: (Pointers) -> Void) {
    values.withUnsafeBufferPointer { values in
      sums.withUnsafeBufferPointer { sums in
        (leading ? leadingSquares : squares).withUnsafeBufferPointer { squares in
          guard
            let values = values.baseAddress, let sums = sums.baseAddress,
            let squares = squares.baseAddress
          else { return }
          body(
            Pointers(
              groups: groups, columnStride: columnStride, values: values,
              sums: sums + Self.margin, squares: squares + Self.margin))
        }
      }
    }
  }
}
