/// Positions of the points of a stretched template between its phases. They depend only on the numbers of
/// phases and points, and are shared by all searches.
struct StretchTable: Sendable {
  /// The position of a point: a phase and the fraction of the way to the next.
  struct Position: Sendable {
    var phase: Int32
    var fraction: Float
  }

  /// The longest tabulated length.
  private static let longest = 64
  /// Tables for the common numbers of phases.
  private static let common = [StretchTable(phases: 8), StretchTable(phases: 16)]

  private let phases: Int
  /// Positions for lengths 1 to ``longest``, one after the other.
  private let positions: [Position]

  private init(phases: Int) {
    self.phases = phases
    positions = (1...Self.longest).flatMap { Self.positions(phases: phases, length: $0) }
  }

  /// Calls `body` with the positions of the `length` + 1 points of a template with `phases` phases.
  @inline(__always)
  static func withPositions(
    phases: Int, length: Int, _ body: (UnsafePointer<Position>) -> Void
  ) {
    guard length <= longest, let table = common.first(where: { $0.phases == phases }) else {
      positions(phases: phases, length: length).withUnsafeBufferPointer { positions in
        if let first = positions.baseAddress { body(first) }
      }
      return
    }
    table.positions.withUnsafeBufferPointer { positions in
      // A length d has d + 1 positions.
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
