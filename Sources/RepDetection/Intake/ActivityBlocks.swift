/// Sums over the newest frames, block by block, from which their activity follows (``MovementActivity``):
/// whether a wrist rests is asked every two seconds of the last 24.
struct ActivityBlocks: Sendable, Codable {
  /// Frames per block: those between two looks, so that windows begin and end with blocks.
  private static let size = 50
  /// Blocks that are kept.
  private static let capacity = 16

  private var blocks: [MovementActivity.Sums] = []
  /// Row of the first block's first frame.
  private var begin = 0

  /// Bytes that are held.
  var byteCount: Int { blocks.capacity * MemoryLayout<MovementActivity.Sums>.stride }

  /// Takes the frame of the next row.
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

  /// The first rows were forgotten: all others have lower numbers now.
  mutating func removeFirst(_ rows: Int) {
    begin -= rows
    while begin < 0, !blocks.isEmpty {
      blocks.removeFirst()
      begin += Self.size
    }
  }

  /// The block that begins with a row; the newest may not be full.
  func block(at row: Int) -> MovementActivity.Sums? {
    guard row >= begin, (row - begin) % Self.size == 0 else { return nil }
    let index = (row - begin) / Self.size
    return index < blocks.count ? blocks[index] : nil
  }

  /// Where the next block after a row begins, or would begin.
  func nextBlock(after row: Int) -> Int {
    row < begin ? begin : begin + ((row - begin) / Self.size + 1) * Self.size
  }
}
