import Foundation
import GRDB
import WorkoutHistory

// The hybrid clock is set to the center's before anything is exchanged.

extension SyncExchange {
  /// Maximum tolerated difference between the clock and the center's, in milliseconds.
  static let clockTolerance: Int64 = 2000

  /// Returns whether the clock differs from the center's, or has issued stamps in the center's future.
  /// Validates every time that a center sends.
  static func isClockWrong(_ db: Database, at time: Int64) throws -> Bool {
    guard (0..<1 << 46).contains(time) else {
      throw HistoryError.invalidValue(reason: "the center's time cannot be: \(time) ms since 1970")
    }
    let clock = try HistoryClock(db)
    return abs(time - clock.now) > clockTolerance
      || (clock.time > (time + clockTolerance) << 16 && clock.time > clock.floor)
  }

  static func setClock(_ db: Database, to time: Int64) throws {
    guard try isClockWrong(db, at: time) else { return }
    var clock = try HistoryClock(db)
    let skew = time - clock.now
    // Stamps after the floor, which are all pending, move by the clock's error, or further if one would still
    // be later than the center's time. Stamps that would fall below the floor stay just above it, in order.
    func isMovable(_ stamp: SyncStamp) -> Bool {
      stamp.device == clock.device && stamp.time > clock.floor
    }
    let objects = try db.rows("SELECT entity, row, created, fields FROM stamp WHERE isPending = 1")
      .map { row in
        var stamps = try SyncStamp.stamps(in: try row.value("fields"))
        stamps[""] = SyncStamp(text: try row.value("created"))
        return (
          entity: try row.value("entity") as Int, row: try row.value("row") as Int64, stamps: stamps
        )
      }.filter { $0.stamps.values.contains(where: isMovable) }
    let tombstones = try db.rows(
      """
      SELECT deletedStamp, removedStamp, userId, entity, key FROM tombstone WHERE isPending = 1
      """)
    let ends = try tombstones.flatMap {
      [
        SyncStamp(text: try $0.value("deletedStamp")),
        SyncStamp(text: try $0.value("removedStamp")),
      ]
    }
    let old = Set((objects.flatMap { $0.stamps.values } + ends).filter(isMovable).map(\.time))
    var latest = clock.floor
    var moved: [Int64: Int64] = [:]
    let shift = min(skew << 16, (time << 16) - (old.max() ?? 0))
    for old in old.sorted() {
      latest = max(old + shift, latest + 1)
      moved[old] = latest
    }
    func new(_ stamp: SyncStamp) -> SyncStamp {
      guard isMovable(stamp), let time = moved[stamp.time] else { return stamp }
      return SyncStamp(time: time, device: clock.device)
    }
    for object in objects {
      var stamps = object.stamps.mapValues(new)
      let created = stamps.removeValue(forKey: "") ?? .never
      try db.execute(
        "UPDATE stamp SET created = ?, fields = ?, checksum = NULL WHERE entity = ? AND row = ?",
        created.text, try SyncStamp.text(of: stamps), object.entity, object.row)
    }
    for row in tombstones {
      let (deleted, removed): (String, String) = (
        try row.value("deletedStamp"), try row.value("removedStamp")
      )
      let texts = [deleted, removed].map { new(SyncStamp(text: $0)).text }
      guard texts != [deleted, removed] else { continue }
      try db.execute(
        """
        UPDATE tombstone SET deletedStamp = ?, removedStamp = ?, checksum = NULL
        WHERE userId = ? AND entity = ? AND key = ?
        """, StatementArguments(texts) + StatementArguments(row.databaseValues.dropFirst(2)))
    }
    try ChangeSealer.sealRecords(db)
    if abs(skew) > clockTolerance { clock.correction += skew }
    clock.time = latest
    try clock.save(db)
  }
}
