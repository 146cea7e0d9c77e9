/// The readings of one sensor on its own clock, waiting to be resampled.
///
/// Sensors of one device may run at different rates, and one may fall silent. Readings that share
/// a time stamp are averaged.
struct SensorTrack: Sendable, Codable {
  private struct Reading: Codable {
    var time: Double
    var value: SIMD4<Double>
  }

  /// The two oldest of the readings that are complete, and how many of the two there are.
  private var oldest = Reading(time: 0, value: SIMD4())
  private var second = Reading(time: 0, value: SIMD4())
  private var count = 0
  /// Those behind them, which wait for slower sensors, from `laterHead` on.
  private var later: [Reading] = []
  private var laterHead = 0
  private var pending = Reading(time: 0, value: SIMD4())
  private var pendingCount = 0.0
  /// Time of the newest reading that is complete.
  private var newestCompleteTime = -Double.infinity

  /// The time of the newest reading; nil before the first.
  var newestTime: Double? { pendingCount > 0 ? pending.time : nil }

  /// Times must not fall.
  ///
  /// - Parameter next: the time that will be asked for next: what only earlier ones need is forgotten.
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

  /// Forgets the oldest reading, of two or more.
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

  /// Whether it can answer for a time: if its readings around it are complete, or if it is silent.
  ///
  /// - Parameters:
  ///   - newest: time of the newest reading of any sensor, and `origin` that of the oldest, s.
  ///   - silence: after this long without a reading a sensor is silent, s.
  @inline(__always)
  func isReady(at time: Double, newest: Double, origin: Double, silence: Double) -> Bool {
    // Never seen: give a slower sensor a moment to show up.
    guard pendingCount > 0 else { return newest - origin > silence }
    return newestCompleteTime >= time || newest - pending.time > silence
  }

  /// The value at `time` by linear interpolation, and whether it lies in a hole: more than
  /// `holeSeconds` between the readings around it. Nil before the first reading. Asking for a time
  /// forgets what lies before it: ask in order of time.
  @inline(__always)
  mutating func value(at time: Double, holeSeconds: Double) -> (SIMD4<Double>, isHole: Bool)? {
    guard pendingCount > 0 else { return nil }
    while count > 1, second.time <= time { removeOldest() }
    guard count > 0 else {
      guard pending.time <= time else { return nil }
      return (pending.value, time - pending.time > holeSeconds)
    }
    let before = oldest
    if before.time > time { return nil }
    let after = count > 1 ? second : pending
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
