/// The leading components of a template stretched to several lengths, each without mean and of
/// unit length.
struct StretchedTemplates {
  /// Quads × points from the last to the first × components; lanes as in ``RepLengths``, with zeros
  /// beyond a lane's own first point.
  private(set) var values: [SIMD4<Float>]
  /// Where each quad begins in `values`.
  private(set) var offsets: [Int] = []
  /// Components per point.
  let components: Int

  /// - Parameters:
  ///   - template: phases × groups.
  ///   - kept: groups that are used, from the first.
  init(_ template: [SIMD4<Float>], groups g: Int, kept: Int, lengths: RepLengths) {
    let phases = template.count / max(g, 1)
    components = 4 * kept
    var total = 0
    for quad in 0..<lengths.quadCount {
      offsets.append(total)
      total += (lengths.shortest + 4 * quad + 4) * 4 * kept
    }
    values = Array(repeating: SIMD4(), count: total)
    guard phases > 1, kept <= g else { return }
    let longest = lengths.longest
    var points = [SIMD4<Float>](repeating: SIMD4(), count: (longest + 1) * kept)
    let offsets = offsets
    template.withUnsafeBufferPointer { template in
      points.withUnsafeMutableBufferPointer { points in
        values.withUnsafeMutableBytes { raw in
          let out = raw.bindMemory(to: Float.self)
          for d in lengths.shortest...longest {
            let n = (d + 1) * kept
            let square = Self.stretch(
              template, groups: g, kept: kept, phases: phases, to: d, into: points)
            let scale = square > 1e-12 ? 1 / square.squareRoot() : 0
            let quad = (d - lengths.shortest) / 4
            let lane = 3 - (d - lengths.shortest) % 4
            for i in 0..<n {
              // Point i / kept from the first is point d − i / kept from the last.
              let from = (offsets[quad] + ((d - i / kept) * kept + i % kept) * 4) * 4 + lane
              let v = points[i] * scale
              out[from] = v.x
              out[from + 4] = v.y
              out[from + 8] = v.z
              out[from + 12] = v.w
            }
          }
        }
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
      for i in 0...d {
        let position = Float(i) * step
        let lower = min(Int(position), phases - 1)
        let upper = min(lower + 1, phases - 1)
        let a = template[lower * g + c]
        let v = a + (template[upper * g + c] - a) * (position - Float(lower))
        points[i * kept + c] = v
        sum += v
      }
      let mean = sum / Float(d + 1)
      for i in 0...d {
        let v = points[i * kept + c] - mean
        points[i * kept + c] = v
        square += v * v
      }
    }
    return square.sum()
  }
}
