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
    /// The same in whole numbers.
    var coarse: CoarseTemplates.Quad
  }

  let lengths: RepLengths
  private var quads: [Quad] = []
  /// For each quad, points from the last to the first × components, with zeros beyond a lane's own
  /// first point.
  private var values: [SIMD4<Float>]
  private var coarse = CoarseTemplates()
  /// Components per point.
  let components: Int

  /// - Parameters:
  ///   - template: phases × groups.
  ///   - kept: groups that are used, from the first.
  ///   - isBounding: whether fits will be bounded in whole numbers; without, half as much is held.
  init(
    _ template: [SIMD4<Float>], groups g: Int, kept: Int, lengths: RepLengths,
    isBounding: Bool = true
  ) {
    let phases = template.count / max(g, 1)
    self.lengths = lengths
    components = 4 * kept
    var total = 0
    quads.reserveCapacity(lengths.quadCount)
    for index in 0..<lengths.quadCount {
      let lowest = lengths.shortest + 4 * index
      let quad = lengths.quad(index)
      quads.append(
        Quad(
          lowest: lowest, inversePoints: quad.inversePoints, scale: quad.scale,
          squaredScale: quad.scale * quad.scale, cost: quad.cost, points: total,
          coarse: isBounding
            ? coarse.addQuad(numbers: (lowest + 4) * components) : CoarseTemplates.Quad()))
      total += (lowest + 4) * components
    }
    values = Array(repeating: SIMD4(), count: total)
    guard phases > 1, kept <= g else { return }
    let quads = quads
    let longest = lengths.longest
    // The points of four lengths, from the last to the first; zero beyond a length's own first.
    let room = (lengths.shortest + 4 * quads.count) * kept
    let sloped = SlopedTemplate(template, groups: g, kept: kept)
    values.withUnsafeMutableBufferPointer { values in
      withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 4 * room) { points in
        guard let points = points.baseAddress, let out = values.baseAddress else { return }
        for quad in quads {
          for lane in 0..<4 {
            let d = quad.lowest + 3 - lane
            let own = points + lane * room
            let count = d <= longest ? d + 1 : 0
            for i in (count * kept)..<((quad.lowest + 4) * kept) { own[i] = SIMD4() }
            guard count > 0 else { continue }
            sloped.stretch(to: d, into: own)
            coarse.set(own, count: count, groups: kept, lane: lane, of: quad.coarse)
          }
          Self.interleave(
            points, room: room, count: (quad.lowest + 4) * kept, into: out + quad.points)
        }
      }
    }
  }

  /// From four rows of vectors to vectors of four: first lanes, second lanes, and so on.
  private static func interleave(
    _ rows: UnsafePointer<SIMD4<Float>>, room: Int, count: Int,
    into output: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    var to = output
    for i in 0..<count {
      let (a, b) = (rows[i], rows[room &+ i])
      let (c, d) = (rows[2 &* room &+ i], rows[3 &* room &+ i])
      to[0] = SIMD4(a.x, b.x, c.x, d.x)
      to[1] = SIMD4(a.y, b.y, c.y, d.y)
      to[2] = SIMD4(a.z, b.z, c.z, d.z)
      to[3] = SIMD4(a.w, b.w, c.w, d.w)
      to += 4
    }
  }

  /// Bytes that are held.
  var byteCount: Int {
    quads.count * MemoryLayout<Quad>.stride + values.count * 16 + coarse.byteCount
  }

  /// Addresses, valid within ``withPointers(_:)``.
  struct Pointers {
    let quads: UnsafeBufferPointer<Quad>
    let values: UnsafePointer<SIMD4<Float>>
    let coarse: UnsafePointer<SIMD8<Int16>>
  }

  /// Runs `body` on the quads and the addresses of the weights, unless there are none.
  func withPointers(_ body: (Pointers) -> Void) {
    quads.withUnsafeBufferPointer { quads in
      values.withUnsafeBufferPointer { values in
        coarse.values.withUnsafeBufferPointer { coarse in
          guard let values = values.baseAddress, let coarse = coarse.baseAddress else { return }
          body(Pointers(quads: quads, values: values, coarse: coarse))
        }
      }
    }
  }
}
