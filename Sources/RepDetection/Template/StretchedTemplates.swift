/// The leading components of a template stretched to several lengths, each without mean and of
/// unit length.
struct StretchedTemplates {
  /// Four lengths of rep, in lanes as in ``RepLengths``.
  struct Quad {
    /// The shortest of the four, in steps.
    var lowest: Int
    /// One over the number of points.
    var inversePoints: SIMD4<Float>
    /// Length in typical lengths, and its square.
    var scale: SIMD4<Float>
    var squaredScale: SIMD4<Float>
    /// What a rep loses by its length.
    var cost: SIMD4<Float>
    /// Where its points begin in `values`.
    var points: Int
    /// Where its blocks (``BlockSums``) begin in `values`, and how many they are.
    var blocks: Int
    var blockCount: Int
    /// The norm of what the means of blocks leave out.
    var residualNorms = SIMD4<Float>()
  }

  let lengths: RepLengths
  private var quads: [Quad] = []
  /// For each quad, points from the last to the first × components, with zeros beyond a lane's own
  /// first point; then the means of each four of these points × components.
  private var values: [SIMD4<Float>]
  /// Components per point.
  let components: Int

  /// - Parameters:
  ///   - template: phases × groups.
  ///   - kept: groups that are used, from the first.
  init(_ template: [SIMD4<Float>], groups g: Int, kept: Int, lengths: RepLengths) {
    let phases = template.count / max(g, 1)
    self.lengths = lengths
    components = 4 * kept
    var total = 0
    for quad in 0..<lengths.quadCount {
      let lowest = lengths.shortest + 4 * quad
      let blockCount = (lowest + 4 + BlockSums.size - 1) / BlockSums.size
      let scale = lengths.scale[quad]
      quads.append(
        Quad(
          lowest: lowest, inversePoints: lengths.inversePoints[quad], scale: scale,
          squaredScale: scale * scale, cost: lengths.cost[quad], points: total,
          blocks: total + (lowest + 4) * components, blockCount: blockCount))
      total += (lowest + 4 + blockCount) * components
    }
    values = Array(repeating: SIMD4(), count: total)
    guard phases > 1, kept <= g else { return }
    let longest = lengths.longest
    var points = [SIMD4<Float>](repeating: SIMD4(), count: (longest + 1) * kept)
    let quads = quads
    template.withUnsafeBufferPointer { template in
      points.withUnsafeMutableBufferPointer { points in
        values.withUnsafeMutableBytes { raw in
          let out = raw.bindMemory(to: Float.self)
          for d in lengths.shortest...longest {
            let square = Self.stretch(
              template, groups: g, kept: kept, phases: phases, to: d, into: points)
            let scale = square > 1e-12 ? 1 / square.squareRoot() : 0
            let quad = (d - lengths.shortest) / 4
            let lane = 3 - (d - lengths.shortest) % 4
            // Point i from the first is point d − i from the last.
            var to = (quads[quad].points + d * kept * 4) * 4 + lane
            for i in 0...d {
              for c in 0..<kept {
                let v = points[i &* kept &+ c] * scale
                out[to &+ 16 &* c] = v.x
                out[to &+ 16 &* c &+ 4] = v.y
                out[to &+ 16 &* c &+ 8] = v.z
                out[to &+ 16 &* c &+ 12] = v.w
              }
              to &-= 16 &* kept
            }
          }
        }
      }
    }
    sumBlocks()
  }

  /// Fills in the blocks from the points.
  private mutating func sumBlocks() {
    let components = components
    values.withUnsafeMutableBufferPointer { values in
      for q in quads.indices {
        let quad = quads[q]
        let end = quad.lowest + 4
        var residual = SIMD4<Float>()
        for block in 0..<quad.blockCount {
          let first = block * BlockSums.size
          for c in 0..<components {
            var sum = SIMD4<Float>()
            for point in first..<min(first + BlockSums.size, end) {
              let w = values[quad.points + point * components + c]
              sum += w
              residual += w * w
            }
            let mean = sum * (1 / Float(BlockSums.size))
            residual -= sum * mean
            values[quad.blocks + block * components + c] = mean
          }
        }
        for lane in 0..<4 {
          quads[q].residualNorms[lane] = (max(residual[lane], 0) + 1e-6).squareRoot()
        }
      }
    }
  }

  /// Bytes that are held.
  var byteCount: Int {
    quads.count * MemoryLayout<Quad>.stride + values.count * 16 + 3 * lengths.quadCount * 16
  }

  /// Runs `body` on the quads and the address of the weights, unless there are none.
  func withPointers(_ body: (UnsafeBufferPointer<Quad>, UnsafePointer<SIMD4<Float>>) -> Void) {
    quads.withUnsafeBufferPointer { quads in
      values.withUnsafeBufferPointer { values in
        guard let values = values.baseAddress else { return }
        body(quads, values)
      }
    }
  }

  /// Stretches a template to d + 1 points, without mean.
  ///
  /// - Returns: the sum of squares of the result.
  private static func stretch(
    _ template: UnsafeBufferPointer<SIMD4<Float>>, groups g: Int, kept: Int, phases: Int, to d: Int,
    into points: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) -> Float {
    let step = Float(phases - 1) / Float(d)
    var square = SIMD4<Float>()
    for c in 0..<kept {
      var sum = SIMD4<Float>()
      var lower = 0
      var value = template[c]
      var rise = template[min(1, phases - 1) * g + c] - value
      for i in 0...d {
        let position = Float(i) * step
        while lower < phases - 1, position >= Float(lower + 1) {
          lower += 1
          value = template[lower * g + c]
          rise = template[min(lower + 1, phases - 1) * g + c] - value
        }
        let v = value + rise * (position - Float(lower))
        points[i &* kept &+ c] = v
        sum += v
      }
      let mean = sum / Float(d + 1)
      for i in 0...d {
        let v = points[i &* kept &+ c] - mean
        points[i &* kept &+ c] = v
        square += v * v
      }
    }
    return square.sum()
  }
}
