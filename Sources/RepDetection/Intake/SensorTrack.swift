/// The readings of one sensor on its own clock, waiting to be resampled.
///
/// Sensors of one device may run at different rates, and one may fall silent. Readings that share
/// a time stamp are averaged.
struct SensorTrack: Sendable {
  private struct Reading {
    var time: Double
    var value: SIMD4<Double>
  }

  private var readings: [Reading] = []
  private var head = 0
  private var pending = Reading(time: 0, value: SIMD4())
  private var pendingCount = 0.0

  /// Bytes that are held.
  var byteCount: Int { readings.capacity * MemoryLayout<Reading>.stride }

  /// The time of the newest reading; nil before the first.
  var newestTime: Double? { pendingCount > 0 ? pending.time : nil }

  /// Times must not fall.
  mutating func append(_ value: SIMD4<Double>, at time: Double) {
    if pendingCount > 0, time == pending.time {
      pendingCount += 1
      pending.value += (value - pending.value) / pendingCount
      return
    }
    if pendingCount > 0 { settle() }
    pending = Reading(time: time, value: value)
    pendingCount = 1
  }

  private mutating func settle() {
    if head > 16 {
      readings.removeFirst(head)
      head = 0
    }
    readings.append(Reading(time: pending.time, value: pending.value))
  }

  /// Whether a value at `time` can no longer change.
  func isSettled(at time: Double) -> Bool {
    readings.count > head && readings[readings.count - 1].time >= time
  }

  /// The value at `time` by linear interpolation, and whether it lies in a hole: more than
  /// `holeSeconds` between the readings around it. Nil before the first reading. Asking for a time
  /// forgets what lies before it: ask in order of time.
  mutating func value(at time: Double, holeSeconds: Double) -> (SIMD4<Double>, isHole: Bool)? {
    while head + 1 < readings.count, readings[head + 1].time <= time { head += 1 }
    guard head < readings.count else {
      guard pendingCount > 0, pending.time <= time else { return nil }
      return (pending.value, time - pending.time > holeSeconds)
    }
    let before = readings[head]
    if before.time > time { return nil }
    let after = head + 1 < readings.count ? readings[head + 1] : pending
    guard after.time > before.time, after.time > time else {
      return (after.value, time - after.time > holeSeconds)
    }
    let fraction = (time - before.time) / (after.time - before.time)
    return (
      before.value + (after.value - before.value) * fraction,
      after.time - before.time > holeSeconds
    )
  }
}
