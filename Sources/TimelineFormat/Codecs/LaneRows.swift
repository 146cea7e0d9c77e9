/// Division of a block's rows into four lanes that are computed together. Lanes are consecutive parts of the rows, all
/// of the same length except the last ones. A step is one row of each lane.
struct LaneRows {
  static let laneCount = AttitudePrediction.Lanes.scalarCount

  let count: Int
  /// Number of steps: the length of the first lane.
  let length: Int
  /// Number of steps in which all lanes have a row.
  private let wholeSteps: Int

  init(count: Int) {
    self.count = count
    length = (count + Self.laneCount - 1) / Self.laneCount
    wholeSteps = max(0, count - (Self.laneCount - 1) * length)
  }

  /// Returns the number of lanes that have a row in a step.
  @inline(__always)
  func active(_ step: Int) -> Int {
    step < wholeSteps ? Self.laneCount : (count &- 1 &- step) / length &+ 1
  }

  /// Returns the first integer of each lane, 0 for lanes without rows.
  func bases(of integers: [Int64]) -> [Int64] {
    (0..<Self.laneCount).map { $0 * length < count ? integers[$0 * length] : 0 }
  }

  /// Returns the steps of a column. Lanes that have no row left repeat the column's last value.
  func gather<Scalar>(_ column: [Scalar]) -> [SIMD4<Scalar>] {
    column.withUnsafeBufferPointer { column in
      [SIMD4<Scalar>](unsafeUninitializedCapacity: length) { steps, written in
        for step in 0..<length {
          var rows = (step &+ length, step &+ 2 &* length, step &+ 3 &* length)
          if step >= wholeSteps {
            rows = (min(rows.0, count - 1), min(rows.1, count - 1), min(rows.2, count - 1))
          }
          steps[step] = SIMD4(column[step], column[rows.0], column[rows.1], column[rows.2])
        }
        written = length
      }
    }
  }

  /// Stores a step into a column.
  @inline(__always)
  func store<Scalar>(
    _ lanes: SIMD4<Scalar>, _ step: Int, to column: UnsafeMutablePointer<Scalar>
  ) {
    if step < wholeSteps {
      column[step] = lanes.x
      column[step &+ length] = lanes.y
      column[step &+ 2 &* length] = lanes.z
      column[step &+ 3 &* length] = lanes.w
    } else {
      for lane in 0..<active(step) { column[step + lane * length] = lanes[lane] }
    }
  }

  /// Returns columns that a function fills in.
  func columns<Scalar>(
    _ columnCount: Int, _ body: ([UnsafeMutablePointer<Scalar>]) -> Void
  ) -> [[Scalar]] {
    var columns: [[Scalar]] = []
    func add(_ pointers: [UnsafeMutablePointer<Scalar>]) {
      guard pointers.count < columnCount else { return body(pointers) }
      columns.append(
        [Scalar](unsafeUninitializedCapacity: count) { values, written in
          guard let first = values.baseAddress else { return }
          add(pointers + [first])
          written = count
        })
    }
    add([])
    return columns.reversed()
  }
}
