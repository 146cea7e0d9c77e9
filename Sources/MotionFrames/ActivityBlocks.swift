/// Block sums over the newest frames, from which their activity is computed (``MovementActivity``). Every two
/// seconds the detector tests whether the wrist rested for the last 24 s.
struct ActivityBlocks: Sendable, Codable {
  /// Frames per block. Equals the frames between two searches, so that windows begin and end at block
  /// boundaries.
  private static let size = 50
  private static let capacity = 16

  private var blocks: [MovementActivity.Sums] = []
  /// Row of the first frame of the first block.
  private var begin = 0

  var byteCount: Int { blocks.capacity * MemoryLayout<MovementActivity.Sums>.stride }

  /// Appends the frame of the next row.
  mutating func append(_ frame: MotionFrame, row: Int) {
    if blocks.isEmpty { begin = row }
    if blocks.last.map({ $0.count >= Self.size }) ?? true {
      if blocks.count == Self.capacity {
        blocks.removeFirst()
        begin += Self.size
      }
      blocks.append(MovementActivity.Sums())
    }
    blocks[blocks.count - 1].add(frame)
  }

  /// Shifts the row numbers after the first rows were removed.
  mutating func removeFirst(_ rows: Int) {
    begin -= rows
    while begin < 0, !blocks.isEmpty {
      blocks.removeFirst()
      begin += Self.size
    }
  }

  /// Returns the block that begins at a row, which may be incomplete if it is the newest; nil if there is
  /// none.
  func block(at row: Int) -> MovementActivity.Sums? {
    guard row >= begin, (row - begin) % Self.size == 0 else { return nil }
    let index = (row - begin) / Self.size
    return index < blocks.count ? blocks[index] : nil
  }

  /// Returns the begin of the next block after a row, whether or not the block exists yet.
  func nextBlock(after row: Int) -> Int {
    row < begin ? begin : begin + ((row - begin) / Self.size + 1) * Self.size
  }
}
