/// Frames kept for later, each in 27 bytes: nine channels in 16 bits, the time, a flag.
///
/// Resolution and range: gravity 2⁻¹⁴ g to ±2 g, rotation 1/800 rad/s to ±40.9 rad/s (a watch's
/// gyroscope ends at 35), acceleration 2⁻¹¹ g to ±16 g; what lies beyond is clipped. All of it lies below the sensors' own noise.
struct FrameStore: Sendable {
  private var values: [Int16] = []
  /// Seconds on the samples' clock, one per frame; strictly increasing.
  private(set) var times: [Double] = []
  /// Whether rotation was measured, not computed.
  private var hasRotation: [Bool] = []

  private static let channels = 9
  private static let gravityScale: Float = 16_384
  private static let rotationScale: Float = 800
  private static let accelerationScale: Float = 2_048
  /// Arrays grow by so many frames at a time, not by factors.
  private static let growth = 128

  var count: Int { times.count }
  /// Bytes that are held.
  var byteCount: Int { values.capacity * 2 + times.capacity * 8 + hasRotation.capacity }

  mutating func append(_ frame: TimedFrame) {
    let room = times.count + Self.growth
    if times.count == times.capacity { times.reserveCapacity(room) }
    if hasRotation.count == hasRotation.capacity { hasRotation.reserveCapacity(room) }
    if values.count + Self.channels > values.capacity {
      values.reserveCapacity(room * Self.channels)
    }
    times.append(frame.time)
    hasRotation.append(frame.hasRotation)
    let f = frame.frame
    append(f.gravity, scale: Self.gravityScale)
    append(f.rotation, scale: Self.rotationScale)
    append(f.userAcceleration, scale: Self.accelerationScale)
  }

  private mutating func append(_ v: SIMD4<Float>, scale: Float) {
    let scaled = (v * scale).rounded(.toNearestOrEven)
    for lane in 0..<3 {
      // NaN does not come from the front end; it would be 0.
      let x = scaled[lane]
      values.append(x >= 32_767 ? 32_767 : x <= -32_767 ? -32_767 : x == x ? Int16(x) : 0)
    }
  }

  /// Forgets the first frames, and the memory that they took.
  mutating func removeFirst(_ n: Int) {
    times = Self.copy(times[n...], growth: Self.growth)
    hasRotation = Self.copy(hasRotation[n...], growth: Self.growth)
    values = Self.copy(values[(n * Self.channels)...], growth: Self.growth * Self.channels)
  }

  private static func copy<T>(_ kept: ArraySlice<T>, growth: Int) -> [T] {
    var result: [T] = []
    result.reserveCapacity(kept.count + growth)
    result.append(contentsOf: kept)
    return result
  }

  /// The frames of a range of rows.
  func frames(_ rows: Range<Int>) -> [MotionFrame] {
    let rows = rows.clamped(to: 0..<count)
    let gravity = 1 / Self.gravityScale
    let rotation = 1 / Self.rotationScale
    let acceleration = 1 / Self.accelerationScale
    return values.withUnsafeBufferPointer { values in
      [MotionFrame](unsafeUninitializedCapacity: rows.count) { output, count in
        for (i, row) in rows.enumerated() {
          let v = row * Self.channels
          output.initializeElement(
            at: i,
            to: MotionFrame(
              gravity: SIMD4(Float(values[v]), Float(values[v + 1]), Float(values[v + 2]), 0)
                * gravity,
              rotation: SIMD4(
                Float(values[v + 3]), Float(values[v + 4]), Float(values[v + 5]), 0) * rotation,
              userAcceleration: SIMD4(
                Float(values[v + 6]), Float(values[v + 7]), Float(values[v + 8]), 0)
                * acceleration))
        }
        count = rows.count
      }
    }
  }

  subscript(rows: Range<Int>) -> TimedFrames {
    TimedFrames(
      frames: frames(rows), times: Array(times[rows]), hasRotation: Array(hasRotation[rows]))
  }

  /// The rows whose times lie in a span; nil if there are none.
  func rows(from: Double, to: Double) -> Range<Int>? {
    rowsOfTimes(times, from: from, to: to)
  }
}

/// The indices of the rising `times` that lie in a span, by bisection; nil if there are none.
func rowsOfTimes(_ times: [Double], from: Double, to: Double) -> Range<Int>? {
  func firstIndex(notBefore time: Double) -> Int {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
  let a = firstIndex(notBefore: from)
  var b = firstIndex(notBefore: to)
  if b < times.count, times[b] == to { b += 1 }
  return a < b ? a..<b : nil
}
