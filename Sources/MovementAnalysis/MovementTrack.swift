import Motion
import SignalProcessing

/// The movement of a set as one number per instant, which increases from the reps' starting posture to their
/// turnaround.
struct MovementTrack {
  let source: MovementCurve.Source
  /// In radians for an angle, meters for a displacement, g for a tilt.
  let position: [Double]
  /// Rate of change of ``position``, per second.
  let speed: [Double]
  /// First and last grid point of each rep.
  let reps: [ClosedRange<Int>]
  /// Nil without a gyroscope and an attitude.
  let orientation: OrientationTrack?

  var isAngle: Bool { source == .attitude || source == .rotationRate }

  /// Smallest rotation, in radians, for which the angle is used; below it displacement is tried.
  private static let minimumAngle = 20 / Math.degreesPerRadian
  /// Smallest displacement, in meters; below it, integrated acceleration is mostly error.
  private static let minimumDisplacement = 0.08

  /// Returns the filter's corner: 15 divided by the typical rep's duration in seconds, because slow movements
  /// need a lower one.
  private static func cornerHz(_ reps: [ClosedRange<Int>]) -> Double {
    let seconds = (median(of: reps.map { Double($0.count) }) ?? 1) / AlignedMotion.rateHz
    return min(max(15 / max(seconds, 0.1), 2.5), 8)
  }

  /// Returns nil if no signal contains the movement.
  init?(_ motion: AlignedMotion, reps spans: [CountedRep]) {
    let reps = spans.map { rep in
      let first = motion.index(at: rep.start)
      return first...max(first, motion.index(at: rep.end))
    }
    self.reps = reps
    let orientation = OrientationTrack(motion)
    self.orientation = orientation
    guard !reps.isEmpty,
      let found = Self.candidate(motion, orientation: orientation, reps: reps)
    else { return nil }
    source = found.source
    let smooth = ZeroPhaseFilter.lowPass(
      found.values, cornerHz: Self.cornerHz(reps), rateHz: AlignedMotion.rateHz)
    let sign = Self.signOfFarEnd(smooth, reps: reps)
    position = smooth.map { $0 * sign }
    speed = Self.derivative(of: position)
  }

  private static func candidate(
    _ motion: AlignedMotion, orientation: OrientationTrack?, reps: [ClosedRange<Int>]
  ) -> (source: MovementCurve.Source, values: [Double])? {
    guard let orientation else {
      return tilt(motion, reps: reps).map { (.tilt, $0) }
    }
    let angle = Self.angle(motion, orientation: orientation, reps: reps)
    if typicalRange(angle, reps: reps) < minimumAngle,
      let travel = displacement(motion, orientation: orientation, reps: reps),
      typicalRange(travel, reps: reps) > minimumDisplacement
    {
      return (.displacement, travel)
    }
    return (orientation.isFused ? .attitude : .rotationRate, angle)
  }

  // MARK: Angle

  /// Returns the twist about the axis of the wrist's largest rotation, in the device's frame. A hinge that
  /// moves the forearm is fixed in that frame, because the forearm carries the device.
  private static func angle(
    _ motion: AlignedMotion, orientation: OrientationTrack, reps: [ClosedRange<Int>]
  ) -> [Double] {
    let poses = orientation.poses
    let rates = motion.rotationRate ?? Self.rates(of: poses)
    let rows = reps.flatMap { Array($0) }.filter { !motion.isGap[$0] }
    let axis = mainAxis(rows.map { rates[$0] })
    // Relative to the mean pose, which keeps the swing off the axis small.
    var middle = poses[rows.first ?? 0]
    var sum = Quaternion(w: 0, x: 0, y: 0, z: 0)
    for row in rows {
      let pose = poses[row]
      let sign = pose.w * middle.w + pose.vector.dot(middle.vector) < 0 ? -1.0 : 1.0
      sum.w += pose.w * sign
      sum.x += pose.x * sign
      sum.y += pose.y * sign
      sum.z += pose.z * sign
    }
    middle = sum.normalized ?? middle
    var angles: [Double] = []
    angles.reserveCapacity(poses.count)
    for pose in poses {
      var angle = (middle.conjugate * pose).twist(about: axis)
      if let previous = angles.last {
        angle -= 2 * Double.pi * ((angle - previous) / (2 * Double.pi)).rounded()
      }
      angles.append(angle)
    }
    return orientation.isFused ? angles : withoutDrift(angles, reps: reps, isGap: motion.isGap)
  }

  /// Removes the drift of an integrated gyroscope: subtracts the line through the starting postures in every
  /// segment without a gap.
  private static func withoutDrift(
    _ values: [Double], reps: [ClosedRange<Int>], isGap: [Bool]
  ) -> [Double] {
    var result = values
    var anchors = reps.map { $0.lowerBound } + [reps[reps.count - 1].upperBound]
    // The end of a rep that a gap interrupts is also an anchor.
    anchors += reps.filter { isGap[$0].contains(true) }.map { $0.upperBound }
    var start = 0
    for end in values.indices {
      let isLast = end == values.count - 1
      guard isLast || (isGap[end] && !isGap[end + 1]) else { continue }
      let rows = anchors.filter { (start...end).contains($0) && !isGap[$0] }
      let line = LeastSquaresLine(through: rows.map { (Double($0), values[$0]) })
      let (origin, slope) = (line?.origin ?? 0, line?.slope ?? 0)
      for row in start...end { result[row] = values[row] - origin - slope * Double(row) }
      start = end + 1
    }
    return result
  }

  private static func rates(of poses: [Quaternion]) -> [SIMD3<Double>] {
    poses.indices.map { index in
      guard index > 0 else { return SIMD3() }
      let turn = poses[index - 1].conjugate * poses[index]
      return turn.vector * (turn.w < 0 ? -2 : 2) * AlignedMotion.rateHz
    }
  }

  /// Returns the dominant direction of vectors, regardless of sign. The mean is not subtracted.
  private static func mainAxis(_ vectors: [SIMD3<Double>]) -> SIMD3<Double> {
    PrincipalAxes.of(vectors).axes[0]
  }

  // MARK: Displacement and tilt

  /// Integrates acceleration in the outer frame twice. The device is assumed to be at rest and in the same
  /// place at the begin of every rep (zero-velocity updates, as in pedestrian dead reckoning: Foxlin 2005).
  private static func displacement(
    _ motion: AlignedMotion, orientation: OrientationTrack, reps: [ClosedRange<Int>]
  ) -> [Double]? {
    guard let accelerations = orientation.outerAcceleration(motion) else { return nil }
    let interval = 1 / AlignedMotion.rateHz
    let scale = AccelerationUnit.standardGravity * interval
    let anchors = reps.map { $0.lowerBound } + [reps[reps.count - 1].upperBound]
    let velocity = pinned(cumulated(accelerations.map { $0 * scale }), to: anchors)
    let travel = pinned(cumulated(velocity.map { $0 * interval }), to: anchors)
    let rows = reps.flatMap { Array($0) }.filter { !motion.isGap[$0] }
    let axis = mainAxis(rows.map { travel[$0] })
    return travel.map { $0.dot(axis) }
  }

  private static func cumulated(_ values: [SIMD3<Double>]) -> [SIMD3<Double>] {
    var sum = SIMD3<Double>()
    return values.map { value in
      sum += value
      return sum
    }
  }

  /// Subtracts the piecewise line through the values at the anchors, which become 0.
  private static func pinned(_ values: [SIMD3<Double>], to anchors: [Int]) -> [SIMD3<Double>] {
    var result = values
    guard let first = anchors.first, let last = anchors.last else { return values }
    for index in values.indices where index < first {
      result[index] = values[index] - values[first]
    }
    for index in values.indices where index >= last { result[index] = values[index] - values[last] }
    for (low, high) in zip(anchors, anchors.dropFirst()) where high > low {
      for index in low..<high {
        let fraction = Double(index - low) / Double(high - low)
        result[index] = values[index] - values[low] - (values[high] - values[low]) * fraction
      }
    }
    return result
  }

  /// Returns the motion of gravity, or of acceleration below 2 Hz, along its main direction.
  private static func tilt(_ motion: AlignedMotion, reps: [ClosedRange<Int>]) -> [Double]? {
    let directions: [SIMD3<Double>]
    if let gravity = motion.gravity {
      directions = gravity
    } else if let total = motion.totalAcceleration {
      directions = ZeroPhaseFilter.lowPass(total, cornerHz: 2, rateHz: AlignedMotion.rateHz)
    } else {
      return nil
    }
    let rows = reps.flatMap { Array($0) }.filter { !motion.isGap[$0] }
    guard !rows.isEmpty else { return nil }
    let mean = rows.reduce(SIMD3<Double>()) { $0 + directions[$1] } / Double(rows.count)
    let axis = mainAxis(rows.map { directions[$0] - mean })
    return directions.map { ($0 - mean).dot(axis) }
  }

  // MARK: Helpers

  private static func typicalRange(_ values: [Double], reps: [ClosedRange<Int>]) -> Double {
    median(of: reps.map { (values[$0].max() ?? 0) - (values[$0].min() ?? 0) }) ?? 0
  }

  /// Returns +1 if reps rise from their ends to the turnaround, −1 if they fall.
  private static func signOfFarEnd(_ values: [Double], reps: [ClosedRange<Int>]) -> Double {
    let sum = reps.reduce(0.0) { sum, rep in
      let base = (values[rep.lowerBound] + values[rep.upperBound]) / 2
      let up = (values[rep].max() ?? base) - base
      let down = base - (values[rep].min() ?? base)
      return sum + (up > down ? up : -down)
    }
    return sum < 0 ? -1 : 1
  }

  private static func derivative(of values: [Double]) -> [Double] {
    values.indices.map { index in
      let low = max(index - 1, 0)
      let high = min(index + 1, values.count - 1)
      return high > low
        ? (values[high] - values[low]) / Double(high - low) * AlignedMotion.rateHz : 0
    }
  }
}
