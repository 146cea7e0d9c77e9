import SignalProcessing

/// The leading components of a template stretched to several lengths, each minus its mean and scaled to unit
/// norm.
struct StretchedTemplates: Codable {
  /// Four lengths of rep, in lanes as in ``RepLengths``.
  struct Quad: Codable {
    /// The shortest of the four, in steps.
    let lowest: Int
    /// Reciprocal of the number of points.
    private(set) var inversePoints = SIMD4<Float>()
    /// Length relative to the typical length, its square, and 1.5 times the square.
    private(set) var scale = SIMD4<Float>()
    let squaredScale: SIMD4<Float>
    let limit: SIMD4<Float>
    /// Penalty for a rep's length: ln² of its ratio to the typical length; infinite in lanes beyond the
    /// longest.
    private(set) var cost = SIMD4<Float>()
    /// Index of the quad's first point in `values`.
    let points: Int
    /// Position of the quad's 16-bit form.
    fileprivate(set) var coarse: CoarseTemplates.Quad

    init(_ index: Int, of lengths: RepLengths, points: Int, coarse: CoarseTemplates.Quad) {
      lowest = lengths.shortest + 4 * index
      for lane in 0..<4 {
        let length = lowest + 3 - lane
        let share = Float(Double(length) / lengths.typical)
        let log = Math.log(share)
        inversePoints[lane] = 1 / Float(length + 1)
        scale[lane] = share
        cost[lane] = length <= lengths.longest ? log * log : .infinity
      }
      squaredScale = scale * scale
      limit = 1.5 * scale * scale
      self.points = points
      self.coarse = coarse
    }
  }

  let lengths: RepLengths
  private var quads: [Quad] = []
  /// Points of each quad, lane by lane, from the last to the first, with zeros beyond a lane's first point:
  /// four rows of lowest + 4.
  private var values: [SIMD4<Float>] = []
  private var coarse = CoarseTemplates()

  /// - Parameters:
  ///   - template: Phases × groups, of which the first group is used.
  ///   - isBounding: Whether to prepare the coarse form that bounds fits, which needs more memory.
  init(_ template: [SIMD4<Float>], lengths: RepLengths, isBounding: Bool = true) {
    self.lengths = lengths
    quads.reserveCapacity(lengths.quadCount)
    var total = 0
    for index in 0..<lengths.quadCount {
      let room = lengths.shortest + 4 * index + 4
      quads.append(
        Quad(
          index, of: lengths, points: total,
          coarse: isBounding ? coarse.addQuad(points: room) : CoarseTemplates.Quad()))
      total += room * 4
    }
    values.resize(to: total, filler: SIMD4())
    coarse.makeRoom()
    let isTemplate = template.count > ComponentSpace.groups
    let sloped = SlopedTemplate(template)
    values.withUnsafeMutableBufferPointer { values in
      guard let values = values.baseAddress else { return }
      for index in quads.indices {
        let quad = quads[index]
        let room = quad.lowest + 4
        for lane in 0..<4 {
          let d = quad.lowest + 3 - lane
          let own = values + (quad.points + lane * room)
          if isTemplate, d <= lengths.longest { sloped.stretch(to: d, into: own) }
          quads[index].coarse.omittedNorm[lane] = coarse.set(
            own, count: room, lane: lane, of: quad.coarse)
        }
      }
    }
  }

  /// Addresses, valid within ``withPointers(_:)``.
  struct Pointers {
    let quads: UnsafeBufferPointer<Quad>
    let values: UnsafePointer<SIMD4<Float>>
    let coarse: UnsafePointer<SIMD8<Int16>>

    /// Returns the dot products of a quad's four lengths with the signal that ends at `end`.
    ///
    /// - Parameters:
    ///   - end: The signal's vectors at its last step; those of the previous step lie `stride` earlier.
    ///   - steps: Number of available steps, an upper limit for the product's length.
    @inline(__always)
    func products(
      _ quad: Quad, end: UnsafePointer<SIMD4<Float>>, stride: Int, steps: Int
    ) -> SIMD4<Float> {
      let room = quad.lowest &+ 4
      var weights = values + quad.points
      var step = end
      var (sum0, sum1) = (SIMD4<Float>(), SIMD4<Float>())
      var (sum2, sum3) = (SIMD4<Float>(), SIMD4<Float>())
      var left = min(room, steps)
      while left > 0 {
        let v = step.pointee
        sum0 += weights[0] * v
        sum1 += weights[room] * v
        sum2 += weights[2 &* room] * v
        sum3 += weights[3 &* room] * v
        weights += 1
        step -= stride
        left &-= 1
      }
      let low = SIMD8(lowHalf: sum0, highHalf: sum1)
      let high = SIMD8(lowHalf: sum2, highHalf: sum3)
      let pairs = SIMD8(
        lowHalf: low.evenHalf + low.oddHalf, highHalf: high.evenHalf + high.oddHalf)
      return pairs.evenHalf + pairs.oddHalf
    }
  }

  /// Calls `body` with the quads and the addresses of the weights; does nothing if there are none.
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
