/// Samples as they are parsed: rows of slots, grown as needed; made into columns at the end.
struct SampleRows {
  private var storage = Storage()
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

  /// Memory for rows. It grows by doubling and is never read beyond what was written.
  private final class Storage {
    private(set) var rows: UnsafeMutablePointer<Double>
    private(set) var capacity: Int

    init() {
      capacity = 128
      rows = .allocate(capacity: capacity * SampleRows.stride)
    }

    deinit { rows.deallocate() }

    func grow() {
      let larger = UnsafeMutablePointer<Double>.allocate(
        capacity: 2 * capacity * SampleRows.stride)
      larger.initialize(from: rows, count: capacity * SampleRows.stride)
      rows.deallocate()
      rows = larger
      capacity *= 2
    }
  }

  /// Forgets all rows and keeps the memory.
  mutating func removeAll() {
    let storage = storage
    self = SampleRows(storage: storage)
  }

  init() {}

  private init(storage: Storage) { self.storage = storage }

  /// A row to be filled, all NaN. It counts only once it is accepted; until then the next call gives
  /// the same one.
  @inline(__always)
  func nextRow() -> UnsafeMutablePointer<Double> {
    if count == storage.capacity { storage.grow() }
    let row = storage.rows + count * Self.stride
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

  /// The values of a slot, NaN where a row does not have it.
  func column(_ slot: Int) -> [Double] {
    precondition(slot >= 0 && slot < Self.stride)
    return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      var source = UnsafePointer(storage.rows) + slot
      for row in 0..<count {
        buffer.initializeElement(at: row, to: source.pointee)
        source += Self.stride
      }
      initialized = count
    }
  }
}
