/// One row per lane. Lanes are consecutive parts of a block's rows, all of one length except the last.
struct LaneRows {
  static let laneCount = AttitudePrediction.Lanes.scalarCount

  /// The row of each lane. Lanes that have no row left, at the end of a block, repeat the last one's.
  private let rows: SIMD4<Int>
  /// The number of lanes that have a row.
  let active: Int

  private init(_ rows: SIMD4<Int>, active: Int) {
    self.rows = rows
    self.active = active
  }

  /// All rows of a block, in the order in which they are decoded.
  static func all(of count: Int) -> some Sequence<LaneRows> {
    let length = (count + laneCount - 1) / laneCount
    // All lanes have rows until the last one ends.
    let whole = max(0, count &- (laneCount - 1) &* length)
    return (0..<length).lazy.map { row in
      let rows = row &+ SIMD4(0, length, 2 &* length, 3 &* length)
      guard row >= whole else { return LaneRows(rows, active: laneCount) }
      let active = (count &- 1 &- row) / length &+ 1
      let last = row &+ (active &- 1) &* length
      return LaneRows(rows.replacing(with: last, where: rows .>= count), active: active)
    }
  }

  @inline(__always)
  subscript(lane: Int) -> Int { rows[lane] }

  /// True for the lanes' first rows.
  var areFirst: Bool { rows.x == 0 }

  var previous: LaneRows { LaneRows(rows &- 1, active: active) }

  /// Returns columns that a function fills in.
  static func columns(
    _ columnCount: Int, of count: Int, _ body: ([UnsafeMutablePointer<Double>]) -> Void
  ) -> [[Double]] {
    var columns: [[Double]] = []
    func add(_ pointers: [UnsafeMutablePointer<Double>]) {
      guard pointers.count < columnCount else { return body(pointers) }
      columns.append(
        [Double](unsafeUninitializedCapacity: count) { values, written in
          guard let first = values.baseAddress else { return }
          add(pointers + [first])
          written = count
        })
    }
    add([])
    return columns.reversed()
  }

  /// The first integer of each lane, 0 for lanes without rows.
  static func bases(of integers: [Int64]) -> [Int64] {
    let length = (integers.count + laneCount - 1) / laneCount
    return (0..<laneCount).map { $0 * length < integers.count ? integers[$0 * length] : 0 }
  }

  @inline(__always)
  func load<Scalar>(_ values: [Scalar]) -> SIMD4<Scalar> {
    SIMD4(values[rows.x], values[rows.y], values[rows.z], values[rows.w])
  }

  @inline(__always)
  func store(_ lanes: SIMD4<Double>, to values: UnsafeMutablePointer<Double>) {
    if active == Self.laneCount {
      values[rows.x] = lanes.x
      values[rows.y] = lanes.y
      values[rows.z] = lanes.z
      values[rows.w] = lanes.w
    } else {
      for lane in 0..<active { values[rows[lane]] = lanes[lane] }
    }
  }
}
