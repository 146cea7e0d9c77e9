/// Samples as they are parsed: rows of slots, grown as needed; made into columns at the end.
struct SampleRows {
  private(set) var values: [Double] = []
  private(set) var count = 0
  /// A bit per slot that any accepted row has.
  private(set) var slots: UInt32 = 0
  /// Whether all instants so far that were texts had whole seconds only, and there was one.
  var sawWholeSeconds = false
  var sawFraction = false
  /// Rows left out because a value in them is no finite number, and where the first one is.
  var dropped = 0
  var firstDropped: Int?
  /// Rows without any measurement.
  var empty = 0

  static let stride = SampleField.slotCount
  private static let motionSlots: UInt32 = (1 << 23) - 2

  mutating func removeAll() {
    self = SampleRows()
  }

  mutating func append(_ row: UnsafeBufferPointer<Double>, slots rowSlots: UInt32) {
    guard rowSlots & Self.motionSlots != 0 else {
      empty += 1
      return
    }
    values.append(contentsOf: row.prefix(Self.stride))
    count += 1
    slots |= rowSlots
  }

  mutating func drop(at offset: Int) {
    dropped += 1
    if firstDropped == nil { firstDropped = offset }
  }

  func has(_ slot: Int) -> Bool { slots & (1 << UInt32(slot)) != 0 }

  /// The values of a slot, NaN where a row does not have it.
  func column(_ slot: Int) -> [Double] {
    Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      values.withUnsafeBufferPointer { values in
        var index = slot
        for row in 0..<count {
          buffer.initializeElement(at: row, to: values[index])
          index += Self.stride
        }
      }
      initialized = count
    }
  }
}
