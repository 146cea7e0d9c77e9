import SignalProcessing

/// Compact store of frames: ten channels of 16 bits and flags, 21 bytes per frame.
///
/// Resolution and range: gravity 2⁻¹⁴ g to ±2 g, rotation 1/800 rad/s to ±40.9 rad/s (a watch's gyroscope
/// saturates at 35), acceleration and vertical velocity 2⁻¹¹ g to ±16 g. Larger values are clipped. The steps
/// are finer than the sensors' own noise.
package struct FrameStore: Sendable, Codable {
  private var values: [Stored] = []
  /// Times of the frames, in seconds on the samples' clock; strictly increasing.
  package private(set) var times = FrameTimes()
  private var flags: [Flags] = []
  private var activity = ActivityBlocks()

  /// The ten channels of a frame.
  private struct Stored: Sendable, PlainValue {
    var gravity: (Int16, Int16, Int16) = (0, 0, 0)
    var rotation: (Int16, Int16, Int16) = (0, 0, 0)
    var acceleration: (Int16, Int16, Int16) = (0, 0, 0)
    var verticalVelocity: Int16 = 0
  }

  /// Flags of a frame.
  private struct Flags: OptionSet, Sendable, PlainValue {
    let rawValue: UInt8
    /// No sensor measured.
    static let missing = Flags(rawValue: 1)
    /// Rotation was measured.
    static let turning = Flags(rawValue: 2)
    /// The frame lies before the first sample or after the last.
    static let beyondSignal = Flags(rawValue: 4)
  }

  private static let gravityScale: Float = 16_384
  private static let rotationScale: Float = 800
  private static let accelerationScale: Float = 2_048
  /// Minimum number of frames by which the arrays grow; for long sets they grow by a fifth.
  private static let growth = 128

  package var count: Int { times.count }
  package var byteCount: Int {
    values.capacity * MemoryLayout<Stored>.stride + flags.capacity + times.byteCount
      + activity.byteCount
  }

  package init(_ frames: [TimedFrame] = []) {
    for frame in frames { append(frame) }
  }

  package mutating func append(_ frame: TimedFrame) {
    let room = times.count + max(Self.growth, times.count / 5)
    if flags.count == flags.capacity { flags.reserveCapacity(room) }
    if values.count == values.capacity { values.reserveCapacity(room) }
    activity.append(frame.frame, row: times.count)
    times.append(frame: frame.number, of: frame.clock)
    var known: Flags = frame.hasRotation ? .turning : []
    if frame.isMissing || frame.startsAfterBreak && !flags.isEmpty { known.insert(.missing) }
    if frame.isBeyondSignal { known.insert(.beyondSignal) }
    flags.append(known)
    let f = frame.frame
    let gravity = Self.stored(f.gravity, scale: Self.gravityScale)
    let rotation = Self.stored(f.rotation, scale: Self.rotationScale)
    let acceleration = Self.stored(f.userAcceleration, scale: Self.accelerationScale)
    values.append(
      Stored(
        gravity: (gravity.x, gravity.y, gravity.z), rotation: (rotation.x, rotation.y, rotation.z),
        acceleration: (acceleration.x, acceleration.y, acceleration.z),
        verticalVelocity: acceleration.w))
  }

  /// Converts values to their stored form: rounded half to even, clamped to 16 bits.
  @inline(__always)
  private static func stored(_ v: SIMD4<Float>, scale: Float) -> SIMD4<Int16> {
    let limit = SIMD4<Float>(repeating: 32_767)
    let scaled = v * scale
    // The front end emits no NaN; it would become 0.
    let known = SIMD4<Float>().replacing(with: scaled, where: scaled .== scaled)
    return SIMD4(truncatingIfNeeded: known.lesser(limit).greater(-limit).nearestIntegers)
  }

  /// Removes the first frames and releases their memory.
  package mutating func removeFirst(_ n: Int) {
    activity.removeFirst(n)
    times.removeFirst(n)
    flags = Self.copy(flags[n...])
    values = Self.copy(values[n...])
  }

  private static func copy<T>(_ kept: ArraySlice<T>) -> [T] {
    var result: [T] = []
    result.reserveCapacity(kept.count + Self.growth)
    result.append(contentsOf: kept)
    return result
  }

  /// Returns the frames of a range of rows.
  package func frames(_ rows: Range<Int>) -> [MotionFrame] {
    let rows = rows.clamped(to: 0..<count)
    // Lane 3 of gravity and rotation holds the next channel; the scale clears it.
    let gravity = SIMD4<Float>(1, 1, 1, 0) / Self.gravityScale
    let rotation = SIMD4<Float>(1, 1, 1, 0) / Self.rotationScale
    let acceleration = 1 / Self.accelerationScale
    return values.withUnsafeBytes { values in
      [MotionFrame](unsafeUninitializedCapacity: rows.count) { output, count in
        guard let first = values.baseAddress, let output = output.baseAddress else { return }
        let stride = MemoryLayout<Stored>.stride
        var frame = first + rows.lowerBound * stride
        // The library's conversion is not always inlined. 12,582,912 is 1.5 · 2²³: adding an integer to its
        // bits adds it to its value.
        func four(_ channel: Int) -> SIMD4<Float> {
          let v = frame.loadUnaligned(fromByteOffset: 2 &* channel, as: SIMD4<Int16>.self)
          let whole = SIMD4<Int32>(Int32(v.x), Int32(v.y), Int32(v.z), Int32(v.w))
          return unsafeBitCast(whole &+ 0x4B40_0000, to: SIMD4<Float>.self) - 12_582_912
        }
        for i in 0..<rows.count {
          (output + i).initialize(
            to: MotionFrame(
              gravity: four(0) * gravity, rotation: four(3) * rotation,
              userAcceleration: four(6) * acceleration))
          frame += stride
        }
        count = rows.count
      }
    }
  }

  /// Returns the wrist's activity in a range of rows. Cheap for the newest rows: only frames outside complete
  /// blocks are decoded.
  package func activity(in rows: Range<Int>, _ typical: TypicalAmplitudes) -> Float {
    let rows = rows.clamped(to: 0..<count)
    var sums = MovementActivity.Sums()
    var row = rows.lowerBound
    while row < rows.upperBound {
      if let block = activity.block(at: row), row + block.count <= rows.upperBound {
        sums.add(block)
        row += block.count
      } else {
        let next = min(activity.nextBlock(after: row), rows.upperBound)
        for frame in frames(row..<next) { sums.add(frame) }
        row = next
      }
    }
    return MovementActivity.of(sums, typical)
  }

  package subscript(rows: Range<Int>) -> TimedFrames {
    TimedFrames(
      frames: frames(rows), times: times.values(rows),
      isMissing: known(.missing, of: rows), isBeyondSignal: known(.beyondSignal, of: rows),
      measuredRotationFraction: Double(flags[rows].count { $0.contains(.turning) })
        / Double(max(rows.count, 1)))
  }

  /// Returns a flag of every frame. Faster than `map`.
  private func known(_ flag: Flags, of rows: Range<Int>) -> [Bool] {
    flags[rows].withUnsafeBufferPointer { flags in
      [Bool](unsafeUninitializedCapacity: flags.count) { output, count in
        for i in flags.indices { output.initializeElement(at: i, to: flags[i].contains(flag)) }
        count = flags.count
      }
    }
  }

  /// Returns the rows whose times lie in a span; nil if there are none.
  @inline(never)
  package func rows(from: Double, to: Double) -> Range<Int>? {
    times.rows(from: from, to: to)
  }

  /// Returns the rows without leading ones that lie before the first sample.
  package func withinSignal(_ rows: Range<Int>) -> Range<Int> {
    let first = flags[rows].firstIndex { !$0.contains(.beyondSignal) } ?? rows.upperBound
    return first..<rows.upperBound
  }
}
