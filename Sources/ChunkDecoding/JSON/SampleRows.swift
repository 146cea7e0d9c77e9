/// Samples as they are parsed: rows of slots in a block of memory, made into columns when it is full. A
/// slot that no sample has takes no memory beyond it.
struct SampleRows {
  private let block: Block
  /// The rows in the block.
  private var blockCount = 0
  /// The values of the blocks before by slot; without slots until the first block is full.
  private var columns: [[Double]] = []
  private(set) var count = 0
  /// A bit per slot that any accepted row has.
  private(set) var slots: UInt32 = 0
  /// A bit per slot of which an instant was text, with whole seconds or with a fraction.
  private(set) var wholeSecondSlots: UInt32 = 0
  private(set) var fractionSlots: UInt32 = 0
  /// Rows left out because a value in them is no finite number, and where the first one is.
  private(set) var dropped = 0
  private(set) var firstDropped: Int?
  /// Rows without any measurement.
  private(set) var empty = 0

  private static let stride = SampleField.slotCount
  private static let motionSlots: UInt32 = (1 << UInt32(SampleField.channelSlots)) - 2

  /// Memory for the rows of a block. It is never read beyond what was written.
  private final class Block {
    static let capacity = 128
    let rows = UnsafeMutablePointer<Double>.allocate(capacity: Block.capacity * SampleRows.stride)

    deinit { rows.deallocate() }
  }

  /// Forgets all rows and keeps the block's memory.
  mutating func removeAll() {
    let block = block
    self = SampleRows(block: block)
  }

  init() { self.init(block: Block()) }

  private init(block: Block) { self.block = block }

  /// A row to be filled, all NaN. It counts only once it is accepted; until then the next call gives
  /// the same one.
  @inline(__always)
  mutating func nextRow() -> UnsafeMutablePointer<Double> {
    if blockCount == Block.capacity { flushBlock() }
    let row = block.rows + blockCount * Self.stride
    row.update(repeating: .nan, count: Self.stride)
    return row
  }

  /// Accepts the row last asked for.
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

  /// Whether instants of a slot were text.
  func hasText(_ slot: Int) -> Bool {
    (wholeSecondSlots | fractionSlots) & (1 << UInt32(slot)) != 0
  }

  /// Whether instants of a slot were text, none of it with a fraction.
  func hasWholeSeconds(_ slot: Int) -> Bool {
    hasText(slot) && fractionSlots & (1 << UInt32(slot)) == 0
  }

  /// Moves the block's rows into the columns: before these are read.
  @inline(never)
  mutating func flushBlock() {
    guard blockCount > 0 else { return }
    if columns.isEmpty { columns = Array(repeating: [], count: Self.stride) }
    let flushed = count - blockCount
    for slot in columns.indices where has(slot) {
      // A slot that comes late has no values in the rows before.
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

  /// The values of a slot, NaN where a row does not have it.
  ///
  /// - Precondition: the rows are settled.
  func column(_ slot: Int) -> [Double] {
    precondition(blockCount == 0)
    return has(slot) ? columns[slot] : Array(repeating: .nan, count: count)
  }
}
