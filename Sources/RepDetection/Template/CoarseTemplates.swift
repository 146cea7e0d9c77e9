/// The stretched templates of a search in numbers of 16 bits, for scalar products with a
/// ``CoarseGrid``.
struct CoarseTemplates {
  /// What 1 is stored as: no component of a template is larger.
  private static let one: Float = 32_767
  /// What 1 of a scalar product is worth, in shares of the grid's largest component.
  static let unit = 1 / (one * CoarseGrid.largestValue)

  /// Eight numbers in a row for each of the four lengths of a quad, then the next eight. The first is
  /// of no quad, so that there always is an address.
  private(set) var values = [SIMD8<Int16>()]

  /// Where the numbers of a quad are.
  struct Quad {
    /// In `values`.
    var first = 0
    /// Eights per length; 0 where there are too many numbers for a product in 32 bits.
    var count = 0
    /// By how much the exact scalar product may exceed the coarse one, in shares of the grid's largest
    /// component: each number of grid and template is off by a half at most.
    var slack: Float = 0
  }

  /// Eights that the quads so far need.
  private var needed = 1

  /// Forgets all quads.
  mutating func removeAll() { needed = 1 }

  /// Plans for four lengths of rep of up to so many numbers; ``makeRoom()`` comes when all are known.
  mutating func addQuad(numbers: Int) -> Quad {
    guard numbers <= CoarseGrid.mostNumbers else { return Quad() }
    // Sixteen at a time are looked at.
    let count = (numbers + 15) / 16 * 2
    let first = needed
    needed += 4 * count
    let n = Float(numbers)
    return Quad(
      first: first, count: count,
      slack: 1.02 * (0.5 * n.squareRoot() / CoarseGrid.largestValue + 0.5 * n / Self.one) + 1e-5)
  }

  /// Makes room for the quads that were added.
  mutating func makeRoom() { values.resize(to: needed, filler: SIMD8()) }

  /// Takes a length of rep.
  ///
  /// - Parameter points: groups of components, from the last point to the first; within a point from
  ///   the first group to the last. At most as many as the quad was added for.
  mutating func set(
    _ points: UnsafePointer<SIMD4<Float>>, count: Int, groups: Int, lane: Int, of quad: Quad
  ) {
    guard quad.count > 0 else { return }
    values.withUnsafeMutableBytes { raw in
      // Of four numbers each: two make an eight.
      let fours = raw.bindMemory(to: SIMD4<Int16>.self)
      var end = 2 * quad.count
      for i in 0..<count {
        end &-= groups
        for c in 0..<groups {
          let at = end &+ c
          let whole = (points[i &* groups &+ c] * Self.one).nearestIntegers
          let eight = quad.first &+ 4 &* (at &>> 1) &+ lane
          fours[2 &* eight &+ (at & 1)] = SIMD4(truncatingIfNeeded: whole)
        }
      }
      for at in 0..<end {
        fours[2 &* (quad.first &+ 4 &* (at &>> 1) &+ lane) &+ (at & 1)] = SIMD4()
      }
    }
  }

  /// Bytes that are held.
  var byteCount: Int { values.count * 16 }

  /// The scalar products of the four lengths of a quad with what ends at `end`.
  @inline(__always)
  static func products(
    _ values: UnsafePointer<SIMD8<Int16>>, _ quad: Quad, end: UnsafePointer<SIMD4<Int16>>
  ) -> SIMD4<Float> {
    var sum0 = SIMD4<Int32>()
    var sum1 = SIMD4<Int32>()
    var sum2 = SIMD4<Int32>()
    var sum3 = SIMD4<Int32>()
    var weights = values + quad.first
    var x = UnsafeRawPointer(end - 2 &* quad.count)
    var left = quad.count
    while left > 0 {
      let a = x.loadUnaligned(as: SIMD8<Int16>.self)
      sum0 &+= product(a, weights[0])
      sum1 &+= product(a, weights[1])
      sum2 &+= product(a, weights[2])
      sum3 &+= product(a, weights[3])
      let b = x.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
      sum0 &+= product(b, weights[4])
      sum1 &+= product(b, weights[5])
      sum2 &+= product(b, weights[6])
      sum3 &+= product(b, weights[7])
      weights += 8
      x += 32
      left &-= 2
    }
    let low = SIMD8(lowHalf: sum0, highHalf: sum1)
    let high = SIMD8(lowHalf: sum2, highHalf: sum3)
    let pairs = SIMD8(
      lowHalf: low.evenHalf &+ low.oddHalf, highHalf: high.evenHalf &+ high.oddHalf)
    return SIMD4<Float>(pairs.evenHalf &+ pairs.oddHalf)
  }

  /// The sums of two products each.
  @inline(__always)
  private static func product(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
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
