import SignalProcessing

/// The stretched templates of a search as 16-bit integers, two steps to an integer, for dot products with a
/// ``CoarseGrid``.
struct CoarseTemplates: Codable {
  /// Stored value of 1, the largest sum of two steps over √2.
  private static let one: Float = 32_767
  /// Value of one dot-product unit, as a fraction of the grid's largest sum.
  static let unit = 1 / (one * CoarseGrid.largestValue)

  /// Two integers of each of the four lengths of a quad, then the next two. The first element belongs to no
  /// quad, so that the array is never empty.
  private(set) var values = [SIMD8<Int16>()]

  /// Position of a quad's integers.
  struct Quad: Codable {
    /// Index of the first element in `values`.
    var first = 0
    /// Number of groups of eight integers per length; 0 if there are too many integers for a 32-bit product.
    var count = 0
    /// Number of sums of two steps in the longest of the four lengths.
    var sums = 0
    /// Maximum rounding error of the coarse dot product, as a fraction of the grid's largest sum: each
    /// integer of grid and template is off by at most one half.
    var slack: Float = 0
    /// Norm of the part that the sums omit, for each length.
    var omittedNorm = SIMD4<Float>()
  }

  /// Number of elements needed by the quads so far.
  private var needed = 1

  /// Reserves a quad for lengths of up to `points` points. Call ``makeRoom()`` after the last quad.
  mutating func addQuad(points: Int) -> Quad {
    let sums = (points + 1) / 2
    let numbers = sums * 4
    guard numbers <= CoarseGrid.mostNumbers else { return Quad() }
    let count = (numbers + 7) / 8
    let first = needed
    needed += 4 * count
    let n = Float(numbers)
    return Quad(
      first: first, count: count, sums: sums,
      slack: 1.02 * (0.5 * n.squareRoot() / CoarseGrid.largestValue + 0.5 * n / Self.one) + 1e-5)
  }

  /// Allocates the reserved quads.
  mutating func makeRoom() {
    values.resize(to: needed, filler: SIMD8())
  }

  /// Stores the template of one length. Must be called only once per length: elements before its first point
  /// stay 0 from ``makeRoom()``.
  ///
  /// - Parameter points: Points from the last to the first, as many as the quad was reserved for.
  /// - Returns: An upper bound for the norm of the part that the sums of two points omit.
  mutating func set(
    _ points: UnsafePointer<SIMD4<Float>>, count: Int, lane: Int, of quad: Quad
  ) -> Float {
    guard quad.count > 0 else { return 0 }
    var omittedNorm = SIMD4<Float>()
    values.withUnsafeMutableBytes { raw in
      // Pairs of integers.
      let twos = raw.bindMemory(to: Int32.self)
      let scale = Self.one * Float(0.5).squareRoot()
      var end = 4 &* quad.first &+ 16 &* quad.count &+ lane
      var i = 0
      while i < count {
        end &-= 8
        let point = points[i]
        let before = i &+ 1 < count ? points[i &+ 1] : SIMD4()
        omittedNorm += (point - before) * (point - before)
        let whole = ((point + before) * scale).nearestIntegers
        let four = unsafeBitCast(SIMD4<Int16>(truncatingIfNeeded: whole), to: SIMD2<Int32>.self)
        twos[end] = four.x
        twos[end &+ 4] = four.y
        i &+= 2
      }
    }
    return (0.5 * omittedNorm.sum()).squareRoot() * 1.000_1 + 1e-6
  }

  /// Returns the dot products of a quad's four lengths with the signal before `end`.
  @inline(__always)
  static func products(
    _ values: UnsafePointer<SIMD8<Int16>>, _ quad: Quad, end: UnsafePointer<SIMD4<Int16>>
  ) -> SIMD4<Float> {
    var sum0 = SIMD4<Int32>()
    var sum1 = SIMD4<Int32>()
    var weights = values + quad.first
    var x = UnsafeRawPointer(end - 2 &* quad.count)
    var left = quad.count
    while left > 0 {
      // Two integers at a time, for all four lengths.
      let twos = x.loadUnaligned(as: SIMD4<Int32>.self)
      sum0 &+= product(twos.x, weights[0])
      sum1 &+= product(twos.y, weights[1])
      sum0 &+= product(twos.z, weights[2])
      sum1 &+= product(twos.w, weights[3])
      weights += 4
      x += 16
      left &-= 1
    }
    return SIMD4<Float>(sum0 &+ sum1)
  }

  /// Returns the sum of the products of two pairs of integers, for each of four lengths.
  @inline(__always)
  private static func product(_ two: Int32, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    let a = unsafeBitCast(SIMD4<Int32>(repeating: two), to: SIMD8<Int16>.self)
    let products = widened(a) &* widened(b)
    return products.evenHalf &+ products.oddHalf
  }

  /// Converts lane by lane. The standard library's conversion is not always inlined, and then costs more than
  /// the products.
  @inline(__always)
  private static func widened(_ v: SIMD8<Int16>) -> SIMD8<Int32> {
    SIMD8(
      Int32(v[0]), Int32(v[1]), Int32(v[2]), Int32(v[3]), Int32(v[4]), Int32(v[5]), Int32(v[6]),
      Int32(v[7]))
  }
}
