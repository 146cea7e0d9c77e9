/// Samples during parsing: rows in a fixed block, which is flushed to columns when full. Slots without values
/// take no memory beyond the block.
struct SampleRows {
  private let block: Block
  /// Number of rows in the block.
  private var blockCount = 0
  /// Values of flushed blocks by slot; empty until the first block is full.
  private var columns: [[Double]] = []
  private(set) var count = 0
  /// Bit mask of slots with a value in any accepted row.
  private(set) var slots: UInt32 = 0
  /// Bit masks of the slots with text dates: in whole seconds, and with fractions.
  private(set) var wholeSecondSlots: UInt32 = 0
  private(set) var fractionSlots: UInt32 = 0
  /// Number of rows dropped because a value is not a finite number, and the offset of the first one.
  private(set) var dropped = 0
  private(set) var firstDropped: Int?
  /// Number of rows without any measurement.
  private(set) var empty = 0

  private static let stride = SampleField.slotCount
  private static let motionSlots: UInt32 = (1 << UInt32(SampleField.channelSlots)) - 2

  /// Memory for the rows of a block. Only initialized parts are read.
  private final class Block {
    static let capacity = 128
    let rows = UnsafeMutablePointer<Double>.allocate(capacity: Block.capacity * SampleRows.stride)

    deinit { rows.deallocate() }
  }

  /// Removes all rows and keeps the block's memory.
  mutating func removeAll() {
    let block = block
    self = SampleRows(block: block)
  }

  init() { self.init(block: Block()) }

  private init(block: Block) { self.block = block }

  /// Returns the next row, filled with NaN. Until it is accepted, further calls return the same row.
  @inline(__always)
  mutating func nextRow() -> UnsafeMutablePointer<Double> {
    if blockCount == Block.capacity { flushBlock() }
    let row = block.rows + blockCount * Self.stride
    row.update(repeating: .nan, count: Self.stride)
    return row
  }

  /// Accepts the row that `nextRow` returned last.
  @inline(__always)
  mutating func accept(_ row: SampleParser.Row) {
    guard row.slots & Self.motionSlots != 0 else {
      empty += 1
      return
    }
    count += 1
    blockCount += 1
    slots |= row.slots
    wholeSecondSlots |= row.wholeSecondSlots
    fractionSlots |= row.fractionSlots
  }

  mutating func drop(at offset: Int) {
    dropped += 1
    if firstDropped == nil { firstDropped = offset }
  }

  func has(_ field: SampleField) -> Bool { field.slot.map(has) ?? false }

  func has(_ slot: Int) -> Bool { slots & (1 << UInt32(slot)) != 0 }

  /// Returns whether the slot has text dates.
  func hasText(_ slot: Int) -> Bool {
    (wholeSecondSlots | fractionSlots) & (1 << UInt32(slot)) != 0
  }

  /// Returns whether the slot has text dates, all in whole seconds.
  func hasWholeSeconds(_ slot: Int) -> Bool {
    hasText(slot) && fractionSlots & (1 << UInt32(slot)) == 0
  }

  /// Appends the block's rows to the columns. Call before reading columns.
  @inline(never)
  mutating func flushBlock() {
    guard blockCount > 0 else { return }
    if columns.isEmpty { columns = Array(repeating: [], count: Self.stride) }
    let flushed = count - blockCount
    for slot in columns.indices where has(slot) {
      // A slot that first appears in this block has no values in earlier rows.
      let missing = flushed - columns[slot].count
      if missing > 0 { columns[slot].append(contentsOf: repeatElement(.nan, count: missing)) }
      let added = [Double](unsafeUninitializedCapacity: blockCount) { values, count in
        for row in 0..<blockCount { values[row] = block.rows[row &* Self.stride &+ slot] }
        count = blockCount
      }
      if flushed == 0 { columns[slot] = added } else { columns[slot] += added }
    }
    blockCount = 0
  }

  /// Returns the values of a slot, NaN in rows without it.
  ///
  /// - Precondition: The block has been flushed.
  func column(_ slot: Int) -> [Double] {
    precondition(blockCount == 0)
    return has(slot) ? columns[slot] : Array(repeating: .nan, count: count)
  }
}
