/// Where the points of a stretched template lie between its phases. It depends on the number of phases
/// and of points alone, and is the same for every search.
struct StretchTable: Sendable {
  /// A point lies so far behind a phase.
  struct Position: Sendable {
    var phase: Int32
    var fraction: Float
  }

  /// The longest length that is kept.
  private static let longest = 64
  /// For the numbers of phases that shapes usually have.
  private static let usual = [StretchTable(phases: 8), StretchTable(phases: 16)]

  private let phases: Int
  /// Of lengths 1 to the longest, one after the other.
  private let positions: [Position]

  private init(phases: Int) {
    self.phases = phases
    positions = (1...Self.longest).flatMap { Self.positions(phases: phases, length: $0) }
  }

  /// Runs `body` on the positions of the `length` + 1 points of a template of `phases` phases.
  @inline(__always)
  static func withPositions(
    phases: Int, length: Int, _ body: (UnsafePointer<Position>) -> Void
  ) {
    guard length <= longest, let table = usual.first(where: { $0.phases == phases }) else {
      positions(phases: phases, length: length).withUnsafeBufferPointer { positions in
        if let first = positions.baseAddress { body(first) }
      }
      return
    }
    table.positions.withUnsafeBufferPointer { positions in
      // Length d has d + 1 positions.
      if let first = positions.baseAddress { body(first + (length &- 1) &* (length &+ 2) / 2) }
    }
  }

  private static func positions(phases: Int, length: Int) -> [Position] {
    let step = Float(phases - 1) / Float(length)
    var lower = 0
    return (0...length).map { i in
      let position = Float(i) * step
      while lower < phases - 1, position >= Float(lower + 1) { lower += 1 }
      return Position(phase: Int32(lower), fraction: position - Float(lower))
    }
  }
}
