import SignalProcessing

/// The stretched templates of a search in numbers of 16 bits, two steps to a number, for scalar products
/// with a ``CoarseGrid``.
struct CoarseTemplates: Codable {
  /// What 1 is stored as: no sum of two steps over √2 is larger.
  private static let one: Float = 32_767
  /// What 1 of a scalar product is worth, in shares of the grid's largest sum.
  static let unit = 1 / (one * CoarseGrid.largestValue)

  /// Two numbers in a row of each of the four lengths of a quad, then the next two. The first is of no
  /// quad, so that there always is an address.
  private(set) var values = [SIMD8<Int16>()]

  /// Where the numbers of a quad are.
  struct Quad: Codable {
    /// In `values`.
    var first = 0
    /// Eight numbers of each length at a time: so many times; 0 where there are too many numbers for a
    /// product in 32 bits.
    var count = 0
    /// Sums of two steps that the longest of the four has.
    var sums = 0
    /// By how much the scalar product of the sums may exceed the coarse one, in shares of the grid's
    /// largest sum: each number of grid and template is off by a half at most.
    var slack: Float = 0
    /// Of each length, the length of what its sums leave out.
    var leftOut = SIMD4<Float>()
  }

  /// Eights that the quads so far need.
  private var needed = 1

  /// Plans for four lengths of rep of up to so many points; ``makeRoom()`` comes when all are known.
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

  /// Makes room for the quads that were added.
  mutating func makeRoom() {
    values.resize(to: needed, filler: SIMD8())
  }

  /// Takes a length of rep, once: what lies before its first point stays 0 from ``makeRoom()``.
  ///
  /// - Parameter points: from the last to the first, as many as the quad was added for.
  /// - Returns: the length of what sums of two points leave out, or a little more.
  mutating func set(
    _ points: UnsafePointer<SIMD4<Float>>, count: Int, lane: Int, of quad: Quad
  ) -> Float {
    guard quad.count > 0 else { return 0 }
    var leftOut = SIMD4<Float>()
    values.withUnsafeMutableBytes { raw in
      // Of two numbers each.
      let twos = raw.bindMemory(to: Int32.self)
      let scale = Self.one * Float(0.5).squareRoot()
      var end = 4 &* quad.first &+ 16 &* quad.count &+ lane
      var i = 0
      while i < count {
        end &-= 8
        let point = points[i]
        let before = i &+ 1 < count ? points[i &+ 1] : SIMD4()
        leftOut += (point - before) * (point - before)
        let whole = ((point + before) * scale).nearestIntegers
        let four = unsafeBitCast(SIMD4<Int16>(truncatingIfNeeded: whole), to: SIMD2<Int32>.self)
        twos[end] = four.x
        twos[end &+ 4] = four.y
        i &+= 2
      }
    }
    return (0.5 * leftOut.sum()).squareRoot() * 1.000_1 + 1e-6
  }

  /// The scalar products of the four lengths of a quad with what ends at `end`.
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
      // Two numbers at a time, for all four lengths.
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

  /// The sums of the products of two numbers with those of four lengths.
  @inline(__always)
  private static func product(_ two: Int32, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    let a = unsafeBitCast(SIMD4<Int32>(repeating: two), to: SIMD8<Int16>.self)
    let products = widened(a) &* widened(b)
    return products.evenHalf &+ products.oddHalf
  }

  /// Lane by lane, because the standard library's conversion is not always inlined, and then costs
  /// more than the products.
  @inline(__always)
  private static func widened(_ v: SIMD8<Int16>) -> SIMD8<Int32> {
    SIMD8(
      Int32(v[0]), Int32(v[1]), Int32(v[2]), Int32(v[3]), Int32(v[4]), Int32(v[5]), Int32(v[6]),
      Int32(v[7]))
  }
}
