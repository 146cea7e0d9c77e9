import Motion
import SignalProcessing

/// Converts samples, as they arrive, to frames on a uniform clock.
///
/// Each sensor is resampled to 50 Hz on its own clock. Gravity is estimated if it was not measured; vertical
/// velocity is always computed. All channels are low-passed at 5 Hz, and every second frame is emitted.
/// Frames at rest are added before and after each segment of signal.
package struct FrontEnd: Sendable, Codable {
  /// Rate at which sensors are resampled and filtered.
  package static let internalRateHz = 50.0
  package static let internalIntervalSeconds = 1 / internalRateHz
  /// Rate of emitted frames.
  package static let frameRateHz = 25.0

  private let configuration: FrontEndConfiguration
  private var gravityTrack = SensorTrack()
  private var rotationTrack = SensorTrack()
  private var userTrack = SensorTrack()
  private var totalTrack = SensorTrack()
  private var gravityEstimator = GravityEstimator()
  private var verticalVelocity = VerticalVelocity()
  private var gravityFilter: LowPassFilter4
  private var rotationFilter: LowPassFilter4
  private var accelerationFilter: LowPassFilter4
  private let groupDelay: Double
  /// Number of internal frames of rest added before and after a segment of signal.
  private let paddingSteps: Int
  /// Time of internal frame 0 since the last break.
  private var origin = 0.0
  private var frameIndex = 0
  /// Time of the next internal frame.
  private var nextTime = 0.0
  /// Time of the newest sample, in seconds.
  package private(set) var newestTime: Double?
  private var backwardTimes = 0
  /// Number of accepted samples, and of internal frames without a measurement: gaps, and rest beyond the
  /// signal.
  private var sampleCount = 0
  private var unmeasuredSteps = 0
  private var isAfterBreak = true
  private var lastGravity = SIMD4<Double>()
  private var lastRotation = SIMD4<Double>()
  private var isRest = false

  package init(_ configuration: FrontEndConfiguration = FrontEndConfiguration()) {
    self.configuration = configuration
    let low = LowPassCoefficients(
      cornerHz: configuration.cornerHz, rateHz: Self.internalRateHz)
    gravityFilter = LowPassFilter4(low)
    rotationFilter = LowPassFilter4(low)
    accelerationFilter = LowPassFilter4(low)
    // A Butterworth filter of order 2 delays slow signals by √2 / (2π corner).
    groupDelay = 2.0.squareRoot() / (2 * Double.pi * configuration.cornerHz)
    // Rest after a gap must not reach back into rest before it.
    let seconds = min(configuration.restBeyondSignalSeconds, configuration.longestGapSeconds / 3)
    paddingSteps = 2 * Math.integer(seconds * Self.frameRateHz, clampedTo: 0...1000)
  }

  /// Returns true if the value is a plausible sample time, in seconds.
  package static func isTime(_ time: Double) -> Bool { time.magnitude <= 1e13 }

  /// Maximum number of unmeasured internal frames: a fixed number, and a number per sample. They bound the
  /// cost of a signal by its number of samples, however far apart these are.
  private static let unmeasuredStepsAllowed = 6_000
  private static let unmeasuredStepsPerSample = 8

  /// True if another gap may be filled and more rest may be added.
  private var mayAddUnmeasured: Bool {
    unmeasuredSteps < Self.unmeasuredStepsAllowed + Self.unmeasuredStepsPerSample * sampleCount
  }

  /// The longest gap that is filled, in seconds.
  private var longestGap: Double {
    mayAddUnmeasured
      ? configuration.longestGapSeconds
      : min(configuration.longestGapSeconds, configuration.silentSensorSeconds)
  }

  /// Appends rows of a batch, in order, and emits every frame that they complete.
  package mutating func append(
    _ samples: MotionBatch, rows: Range<Int>, phase: WorkoutPhase?, into frames: inout [TimedFrame]
  ) {
    guard samples.has(MotionChannel.time) else { return }
    let times = samples.times
    let rotation = SampleColumns(samples, .rotationRate, limit: 200)
    let gravity = SampleColumns(samples, .gravity, limit: 10)
    let user = SampleColumns(samples, .userAcceleration, limit: 100)
    let total = SampleColumns(samples, .totalAcceleration, limit: 100)
    let attitude = SampleColumns(samples, .attitude, limit: 100)
    let quaternion = SampleColumns(samples, .quaternion, limit: 10)
    let timeScale = 1 / samples.units.unitsPerStandardUnit(of: .time)

    for row in rows {
      let t = times[row] * timeScale
      guard Self.isTime(t), accept(t, into: &frames) else { continue }
      sampleCount &+= 1
      isRest = phase == .rest
      if let w = rotation.vector(row) {
        rotationTrack.append(w, at: t, before: nextTime)
      }
      if let g = gravity.vector(row) {
        gravityTrack.append(g, at: t, before: nextTime)
      } else if let q = quaternion.vector(row) {
        gravityTrack.append(Self.gravity(quaternion: q), at: t, before: nextTime)
      } else if let a = attitude.vector(row) {
        gravityTrack.append(Self.gravity(roll: a.x, pitch: a.y), at: t, before: nextTime)
      }
      if let a = user.vector(row) {
        userTrack.append(a, at: t, before: nextTime)
      }
      if let a = total.vector(row) {
        totalTrack.append(a, at: t, before: nextTime)
      }
      drain(isFinal: false, into: &frames)
    }
  }

  /// Emits the pending frames, and the rest after them.
  package mutating func finish(into frames: inout [TimedFrame]) {
    drain(isFinal: true, into: &frames)
    guard !isAfterBreak else { return }
    for (gravity, rotation) in rest(after: lastGravity, rotation: lastRotation) {
      step(
        gravity: gravity, rotation: rotation, acceleration: SIMD4(), isMissing: false, into: &frames
      )
    }
  }

  /// Returns whether to accept a sample of this time. Samples that go back in time are dropped until enough
  /// of them in a row show that the clock was set back. Then, as after a long gap, a new segment begins.
  private mutating func accept(_ t: Double, into frames: inout [TimedFrame]) -> Bool {
    guard let newest = newestTime else {
      restart(at: t)
      return true
    }
    if t < newest {
      backwardTimes += 1
      guard backwardTimes > configuration.backwardTimesBeforeRestart else { return false }
    } else if t - newest <= longestGap {
      backwardTimes = 0
      newestTime = t
      return true
    }
    finish(into: &frames)
    restart(at: t)
    return true
  }

  private mutating func restart(at t: Double) {
    let (sampleCount, unmeasuredSteps) = (sampleCount, unmeasuredSteps)
    self = FrontEnd(configuration)
    (self.sampleCount, self.unmeasuredSteps) = (sampleCount, unmeasuredSteps)
    origin = t
    nextTime = t
    newestTime = t
  }

  private mutating func drain(isFinal: Bool, into frames: inout [TimedFrame]) {
    guard let newest = newestTime else { return }
    while true {
      let t = nextTime
      guard t <= newest else { return }
      if !isFinal {
        let silence = configuration.silentSensorSeconds
        guard
          gravityTrack.isReady(at: t, newest: newest, origin: origin, silence: silence),
          rotationTrack.isReady(at: t, newest: newest, origin: origin, silence: silence),
          userTrack.isReady(at: t, newest: newest, origin: origin, silence: silence),
          totalTrack.isReady(at: t, newest: newest, origin: origin, silence: silence)
        else { return }
      }
      resample(at: t, into: &frames)
      nextTime = origin + Double(frameIndex) / Self.internalRateHz
    }
  }

  private mutating func resample(at t: Double, into frames: inout [TimedFrame]) {
    let hole = configuration.silentSensorSeconds
    let measuredGravity = gravityTrack.value(at: t, gapSeconds: hole)
    let measuredRotation = rotationTrack.value(at: t, gapSeconds: hole)
    let total = totalTrack.value(at: t, gapSeconds: hole)
    let user = userTrack.value(at: t, gapSeconds: hole)
    let rotation = measuredRotation.map { $0.isGap ? SIMD4<Double>() : $0.0 }
    let isMissing =
      measuredGravity?.isGap != false && measuredRotation?.isGap != false
      && total?.isGap != false && user?.isGap != false
    if isMissing { unmeasuredSteps &+= 1 }

    var gravity = SIMD4<Double>()
    if let measured = measuredGravity?.0 {
      gravity = measured.normalized
    } else if let total = total?.0 {
      gravity = gravityEstimator(
        acceleration: total, rotation: rotation, configuration: configuration)
    }
    if isAfterBreak {
      lastGravity = gravity
      let rest = rest(after: gravity, rotation: -(rotation ?? SIMD4()))
      frameIndex -= rest.count
      // Played backwards, the rotation changes its sign.
      for (gravity, rotation) in rest.reversed() {
        step(
          gravity: gravity, rotation: -rotation, acceleration: SIMD4(), isMissing: false,
          into: &frames)
      }
    }
    // Without a gyroscope, rotation is derived from the change of gravity: ω = ġ × g.
    let turning =
      rotation ?? ((gravity - lastGravity) / Self.internalIntervalSeconds).crossed(with: gravity)
    lastGravity = gravity
    lastRotation = turning

    var own = SIMD4<Double>()
    if let user {
      own = user.isGap ? own : user.0
    } else if let total, !total.isGap {
      let isOpposite = (total.0 * gravity).sum() < 0 && measuredGravity != nil
      own = isOpposite ? -total.0 - gravity : total.0 - gravity
    }

    step(
      gravity: gravity, rotation: turning, acceleration: own, isMissing: isMissing, into: &frames)
  }

  /// Returns frames of the wrist coming to rest, at the internal rate. Reps are compared at several phases;
  /// without rest beyond the signal, a rep at the very begin or end of a recording would not fit at most of
  /// them.
  private mutating func rest(
    after gravity: SIMD4<Double>, rotation: SIMD4<Double>
  ) -> [(gravity: SIMD4<Double>, rotation: SIMD4<Double>)] {
    guard mayAddUnmeasured else { return [] }
    unmeasuredSteps &+= paddingSteps
    let slowingSteps = max(configuration.slowingSeconds * Self.internalRateHz, 1)
    var gravity = gravity
    return (0..<paddingSteps).map { i in
      let slower = rotation * max(0, 1 - Double(i + 1) / slowingSteps)
      // Gravity is fixed in space while the wrist rotates: ġ = g × ω.
      gravity = (gravity + gravity.crossed(with: slower) / Self.internalRateHz).normalized
      return (gravity, slower)
    }
  }

  /// Filters the next values at the internal rate, and emits every second frame.
  private mutating func step(
    gravity: SIMD4<Double>, rotation: SIMD4<Double>, acceleration: SIMD4<Double>, isMissing: Bool,
    into frames: inout [TimedFrame]
  ) {
    let smoothGravity = gravityFilter(gravity)
    let smoothRotation = rotationFilter(rotation)
    var acceleration = acceleration
    acceleration.w = verticalVelocity(
      acceleration: acceleration, gravity: gravity,
      memorySeconds: configuration.gravityTimeConstantSeconds)
    let smoothAcceleration = accelerationFilter(acceleration)
    defer { frameIndex += 1 }
    guard frameIndex & 1 == 0 else { return }
    let frame = MotionFrame(
      gravity: SIMD4<Float>(smoothGravity), rotation: SIMD4<Float>(smoothRotation),
      userAcceleration: SIMD4<Float>(smoothAcceleration))
    let newest = newestTime ?? origin
    var timed = TimedFrame(
      clock: FrameTimes.Clock(start: origin - groupDelay), number: frameIndex >> 1,
      frame: frame, isRest: isRest, arrival: newest, isMissing: isMissing,
      hasRotation: rotationTrack.newestTime != nil, startsAfterBreak: isAfterBreak)
    timed.isBeyondSignal = timed.time < origin || timed.time > newest
    frames.append(timed)
    isAfterBreak = false
  }

  /// Returns gravity in the device's frame from Core Motion's roll and pitch.
  private static func gravity(roll: Double, pitch: Double) -> SIMD4<Double> {
    SIMD4(
      Math.cosine(pitch) * Math.sine(roll), -Math.sine(pitch),
      -Math.cosine(pitch) * Math.cosine(roll), 0)
  }

  /// Returns gravity in the device's frame from the attitude's quaternion (w, x, y, z).
  private static func gravity(quaternion q: SIMD4<Double>) -> SIMD4<Double> {
    let (w, x, y, z) = (q.x, q.y, q.z, q.w)
    return SIMD4(2 * (w * y - x * z), -2 * (w * x + y * z), x * x + y * y - w * w - z * z, 0)
      .normalized
  }
}

/// Up to four columns of a batch, for access by row.
private struct SampleColumns {
  /// Number of columns; 0 if one is missing.
  private let count: Int
  private var first: [Double] = []
  private var second: [Double] = []
  private var third: [Double] = []
  private var fourth: [Double] = []

  private let scale: Double
  private let limit: Double

  /// - Parameter limit: A magnitude beyond any sensor's range, in standard units.
  init(_ samples: MotionBatch, _ quantity: MotionQuantity, limit: Double) {
    let channels = quantity.channels
    scale = 1 / samples.units.unitsPerStandardUnit(of: quantity)
    self.limit = limit
    guard channels.allSatisfy({ samples.has($0) }) else {
      count = 0
      return
    }
    count = channels.count
    if count > 0 { first = samples[channels[0]] }
    if count > 1 { second = samples[channels[1]] }
    if count > 2 { third = samples[channels[2]] }
    if count > 3 { fourth = samples[channels[3]] }
  }

  /// Returns the values of a row in standard units; nil if one of them is missing or beyond any sensor's
  /// range.
  @inline(__always)
  func vector(_ row: Int) -> SIMD4<Double>? {
    guard count > 0 else { return nil }
    var v = SIMD4(first[row], 0, 0, 0)
    if count > 1 { v.y = second[row] }
    if count > 2 { v.z = third[row] }
    if count > 3 { v.w = fourth[row] }
    v *= scale
    // NaN fails both comparisons.
    return all((v .<= limit) .& (v .>= -limit)) ? v : nil
  }
}
