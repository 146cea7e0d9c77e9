import Motion
import Testing

@testable import ChunkDecoding

@Suite struct SampleKeyTests {
  @Test func everyKeyIsFound() {
    for (name, field) in SampleField.keys {
      let key = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      #expect(SampleKeyTable.shared.field(key) == field, "\(name)")
      #expect(SampleKeyTable.keyLengths.contains(name.utf8CodeUnitCount))
      let text = Array("\"\(name)\":\"\(name)\"".utf8) + Array(repeating: 0x22, count: 20)
      let found = text.withUnsafeBufferPointer { text in
        text.baseAddress.flatMap { SampleKeyTable.shared.key(at: $0) }
      }
      #expect(found?.field == field, "\(name)")
      #expect(found?.length == name.utf8CodeUnitCount + 3, "\(name)")
    }
  }

  /// A new channel takes the next raw value, which moves the other slots up.
  @Test func channelsHaveTheLowestSlots() {
    let highest = MotionChannel.allCases.map(\.rawValue).max()
    #expect(highest.map { $0 + 1 } == SampleField.channelSlots)
    #expect(SampleField.slotCount <= Int(SampleField.nestedBase))
    for slot in [CSVLayout.dateSlot, CSVLayout.ignored] { #expect(slot > highest ?? 0) }
  }

  @Test(arguments: [
    "", "x", "Roll", "rolls", "acceleration", "accelerationx", "accelerationXX", "attitude\u{0}",
    "timestam", "a key that is longer than every known one", "magneticFieldW",
    "yaw\u{0}", "\"aw", "totalAccelerationXX", "\u{0}\u{0}\u{0}\u{0}",
  ])
  func otherKeysAreUnknown(_ name: String) {
    let field = Array(name.utf8).withUnsafeBufferPointer { SampleKeyTable.shared.field($0) }
    if name == "acceleration" {
      #expect(field.nestedQuantity == .userAcceleration)
    } else {
      #expect(field == .unknown)
    }
  }
}
