import Motion
import Testing

@testable import WorkoutHistory

struct SHA256HardwareTests {
  @Test func bothWaysGiveTheSame() {
    var message: [UInt8] = []
    for length in Array(0...200) + [1000, 4096, 100_001] {
      while message.count < length { message.append(UInt8(truncatingIfNeeded: message.count * 89)) }
      var hash = SHA256.quickest()
      hash.update(message.prefix(length / 3))
      hash.update(message[(length / 3)..<length])
      #expect(hash.digest() == SHA256.digest(message[..<length]), "\(length)")
    }
  }
}
