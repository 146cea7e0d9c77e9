/// The readings of one sensor on its own clock, waiting to be resampled.
///
/// Sensors of one device may run at different rates, and one may fall silent. Readings that share
/// a time stamp are averaged.
struct SensorTrack: Sendable {
  private struct Reading {
    var time: Double
    var value: SIMD4<Double>
  }

  /// A ring, its length a power of two.
  private var ring = [Reading](repeating: Reading(time: 0, value: SIMD4()), count: 4)
  /// Where the oldest reading is, and how many there are.
  private var head = 0
  private var count = 0
  private var pending = Reading(time: 0, value: SIMD4())
  private var pendingCount = 0.0

  /// Bytes that are held.
  var byteCount: Int { ring.capacity * MemoryLayout<Reading>.stride }

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
    if count == ring.count { grow() }
    ring[(head &+ count) & (ring.count &- 1)] = pending
    count &+= 1
  }

  private mutating func grow() {
    let kept = (0..<count).map { reading($0) }
    ring = kept + Array(repeating: pending, count: ring.count)
    head = 0
  }

  /// The n-th oldest of the readings that are settled.
  @inline(__always)
  private func reading(_ n: Int) -> Reading { ring[(head &+ n) & (ring.count &- 1)] }

  /// Whether a value at `time` can no longer change.
  @inline(__always)
  private func isSettled(at time: Double) -> Bool {
    count > 0 && reading(count &- 1).time >= time
  }

  /// Whether it can answer for a time: if its readings around it are settled, or if it is silent.
  ///
  /// - Parameters:
  ///   - newest: time of the newest reading of any sensor, and `origin` that of the oldest, s.
  ///   - silence: after this long without a reading a sensor is silent, s.
  @inline(__always)
  func isReady(at time: Double, newest: Double, origin: Double, silence: Double) -> Bool {
    // Never seen: give a slower sensor a moment to show up.
    guard pendingCount > 0 else { return newest - origin > silence }
    return isSettled(at: time) || newest - pending.time > silence
  }

  /// The value at `time` by linear interpolation, and whether it lies in a hole: more than
  /// `holeSeconds` between the readings around it. Nil before the first reading. Asking for a time
  /// forgets what lies before it: ask in order of time.
  @inline(__always)
  mutating func value(at time: Double, holeSeconds: Double) -> (SIMD4<Double>, isHole: Bool)? {
    guard pendingCount > 0 else { return nil }
    while count > 1, reading(1).time <= time {
      head = (head &+ 1) & (ring.count &- 1)
      count &-= 1
    }
    guard count > 0 else {
      guard pending.time <= time else { return nil }
      return (pending.value, time - pending.time > holeSeconds)
    }
    let before = reading(0)
    if before.time > time { return nil }
    let after = count > 1 ? reading(1) : pending
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
