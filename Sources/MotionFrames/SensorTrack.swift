/// The readings of one sensor on its own clock, queued for resampling.
///
/// Sensors of one device may run at different rates, and one may fall silent. Readings with equal times are
/// averaged.
struct SensorTrack: Sendable, Codable {
  private struct Reading: Codable {
    var time: Double
    var value: SIMD4<Double>
  }

  /// The two oldest complete readings, and the number of them that are present.
  private var oldest = Reading(time: 0, value: SIMD4())
  private var second = Reading(time: 0, value: SIMD4())
  private var count = 0
  /// Later complete readings, from index `laterHead`; they wait for slower sensors.
  private var later: [Reading] = []
  private var laterHead = 0
  private var pending = Reading(time: 0, value: SIMD4())
  private var pendingCount = 0.0
  /// Time of the newest complete reading.
  private var newestCompleteTime = -Double.infinity

  /// Time of the newest reading; nil before the first.
  var newestTime: Double? { pendingCount > 0 ? pending.time : nil }

  /// Appends a reading. Times must not decrease.
  ///
  /// - Parameter next: The next time to be requested. Readings needed only for earlier times are dropped.
  @inline(__always)
  mutating func append(_ value: SIMD4<Double>, at time: Double, before next: Double) {
    if pendingCount > 0, time == pending.time {
      pendingCount += 1
      pending.value += (value - pending.value) / pendingCount
      return
    }
    if pendingCount > 0 {
      if count > 1, second.time <= next { removeOldest() }
      completePending()
    }
    pending = Reading(time: time, value: value)
    pendingCount = 1
  }

  @inline(__always)
  private mutating func completePending() {
    newestCompleteTime = pending.time
    if count == 0 {
      oldest = pending
      count = 1
    } else if count == 1 {
      second = pending
      count = 2
    } else {
      later.append(pending)
    }
  }

  /// Removes the oldest of at least two readings.
  @inline(__always)
  private mutating func removeOldest() {
    oldest = second
    count = 1
    if laterHead < later.count { refill() }
  }

  @inline(never)
  private mutating func refill() {
    second = later[laterHead]
    count = 2
    laterHead += 1
    if laterHead == later.count || laterHead == 32 {
      later.removeFirst(laterHead)
      laterHead = 0
    }
  }

  /// Returns true if the value at a time is final: the readings around it are complete, or the sensor is
  /// silent.
  ///
  /// - Parameters:
  ///   - newest: Time of the newest reading of any sensor, and `origin` that of the oldest, in seconds.
  ///   - silence: Time without a reading after which a sensor is silent, in seconds.
  @inline(__always)
  func isReady(at time: Double, newest: Double, origin: Double, silence: Double) -> Bool {
    // Not seen yet: give a slower sensor a moment to appear.
    guard pendingCount > 0 else { return newest - origin > silence }
    return newestCompleteTime >= time || newest - pending.time > silence
  }

  /// Returns the value at `time` by linear interpolation, and whether it lies in a gap of more than
  /// `gapSeconds` between readings; nil before the first reading. Drops the readings before `time`, so times
  /// must not decrease from call to call.
  @inline(__always)
  mutating func value(at time: Double, gapSeconds: Double) -> (SIMD4<Double>, isGap: Bool)? {
    guard pendingCount > 0 else { return nil }
    while count > 1, second.time <= time { removeOldest() }
    guard count > 0 else {
      guard pending.time <= time else { return nil }
      return (pending.value, time - pending.time > gapSeconds)
    }
    let before = oldest
    if before.time > time { return nil }
    let after = count > 1 ? second : pending
    guard after.time > before.time, after.time > time else {
      return (after.value, time - after.time > gapSeconds)
    }
    let fraction = (time - before.time) / (after.time - before.time)
    return (
      before.value + (after.value - before.value) * fraction,
      after.time - before.time > gapSeconds
    )
  }
}
