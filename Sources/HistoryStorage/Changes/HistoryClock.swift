import Foundation
import GRDB

/// This copy's hybrid logical clock, and the counter of its changes.
package struct HistoryClock {
  package let device: String
  /// The latest time of stamps from elsewhere. Such stamps are never changed.
  package var floor: Int64
  /// The time of the last stamp: milliseconds since 1970 · 65536 + a counter.
  package var time: Int64
  /// The center's clock minus this machine's, in milliseconds.
  package var correction: Int64
  package var number: Int64

  package init(_ db: Database) throws {
    let row = try db.row("SELECT device, floor, time, correction, number FROM clock")
    guard let row else { throw HistoryError.damaged(reason: "the clock's row is missing") }
    device = try row.value("device")
    (floor, time) = (try row.value("floor"), try row.value("time"))
    (correction, number) = (try row.value("correction"), try row.value("number"))
    guard correction.magnitude < 3 << 45, (0..<7 << 60).contains(time) else {
      throw HistoryError.damaged(
        reason: "the clock cannot show \(time >> 16) ms with a correction of \(correction) ms")
    }
    guard (0..<1 << 62).contains(floor) else {
      throw HistoryError.damaged(reason: "the clock's floor cannot be \(floor)")
    }
  }

  /// The corrected time, in milliseconds since 1970.
  package var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) + correction }

  /// Returns the next stamp. If the machine's clock is behind, the counter continues from the last stamp.
  package mutating func tick() -> SyncStamp {
    time = max(time + 1, now << 16)
    return SyncStamp(time: time, device: device)
  }

  package mutating func nextNumber() -> Int64 {
    number += 1
    return number
  }

  package func save(_ db: Database) throws {
    try db.execute(
      "UPDATE clock SET floor = ?, time = ?, correction = ?, number = ?", floor, time, correction,
      number)
  }

  /// Runs a closure with the clock, and stores the clock's changes.
  package static func use<T>(_ db: Database, _ body: (inout HistoryClock) throws -> T) throws -> T {
    var clock = try HistoryClock(db)
    let result = try body(&clock)
    try clock.save(db)
    return result
  }
}
