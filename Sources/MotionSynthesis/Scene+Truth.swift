import Motion
import SignalProcessing

extension Scene {
  /// Returns the sets with the bounds of their reps, from the motion without tremor and noise.
  func trueSets() -> [TrueSet] {
    script.sets.enumerated().compactMap { index, plan in
      let all = plan.reps.map { rep in (plan: rep, truth: trueRep(rep)) }
      let reps = all.filter { !$0.plan.isPartial }.map(\.truth)
      guard let first = reps.first, let last = reps.last else { return nil }
      let speeds = reps.map { $0.concentricSpeed(in: family) }
      let best = speeds.max() ?? 0
      let loss = best > 0 ? 100 * (best - (speeds.last ?? best)) / best : 0
      return TrueSet(
        exercise: family, style: plan.style, identity: identity(ofSet: index),
        start: first.start, end: last.end, reps: reps,
        partialReps: all.filter(\.plan.isPartial).map(\.truth),
        execution: (clockOrigin + plan.executionStart)...(clockOrigin + plan.executionEnd),
        velocityLossPercent: loss)
    }
  }

  /// Determines a rep's bounds from the planned movement: angular speed of 10 % of the rep's peak, sampled
  /// every 2 ms and interpolated.
  private func trueRep(_ rep: RecordingScript.PlannedRep) -> TrueRep {
    let interval = 0.002
    let count = max(2, Int(((rep.backEnd - rep.outStart) / interval).rounded(.up)))
    var cursor = 0
    // speeds[i] is the mean angular speed of the i-th interval, located at its midpoint.
    var speeds: [Double] = []
    speeds.reserveCapacity(count)
    let startAttitude = motion.pose(at: rep.outStart, detail: .planned, cursor: &cursor).attitude
    var previous = startAttitude
    for index in 1...count {
      let time = rep.outStart + Double(index) * interval
      let attitude = motion.pose(at: time, detail: .planned, cursor: &cursor).attitude
      speeds.append((previous.conjugate * attitude).rotationVector.length / interval)
      previous = attitude
    }
    let peak = speeds.max() ?? 0
    let threshold = 0.1 * peak
    func time(_ position: Double) -> Double { rep.outStart + (position + 0.5) * interval }
    var start = rep.outStart
    if let index = speeds.firstIndex(where: { $0 > threshold }), index > 0 {
      let below = speeds[index - 1]
      start = time(Double(index) - (speeds[index] - threshold) / (speeds[index] - below))
    }
    var end = rep.backEnd
    if let index = speeds.lastIndex(where: { $0 > threshold }), index < speeds.count - 1 {
      let below = speeds[index + 1]
      end = time(Double(index) + (speeds[index] - threshold) / (speeds[index] - below))
    }
    let farAttitude = motion.pose(at: rep.outEnd, detail: .planned, cursor: &cursor).attitude
    let rotation = (startAttitude.conjugate * farAttitude).rotationVector.length
    let distal = motion.arm.forearmAxis
    let forearmCosine = startAttitude.rotate(distal).dot(farAttitude.rotate(distal))
    let degree = 180 / Double.pi
    let sine = startAttitude.rotate(distal).cross(farAttitude.rotate(distal)).length
    return TrueRep(
      start: clockOrigin + start, end: clockOrigin + min(end, rep.backEnd),
      outStart: clockOrigin + rep.outStart, outEnd: clockOrigin + rep.outEnd,
      backStart: clockOrigin + rep.backStart, backEnd: clockOrigin + rep.backEnd,
      range: rep.range, rotationDegrees: rotation * degree,
      forearmDegrees: DeterministicMath.arcTangent(y: sine, x: forearmCosine) * degree,
      peakAngularSpeed: peak)
  }

  /// Returns the posture's position in the exercise's range, 0 to 1; NaN outside the sets.
  func progress(at time: Double, cursor: inout Int) -> Double {
    guard
      let plan = script.sets.first(where: { set in
        guard let first = set.reps.first, let last = set.reps.last else { return false }
        return first.outStart <= time && time <= last.backEnd
      })
    else { return .nan }
    let posture = motion.track.posture(at: time, cursor: &cursor)
    var along = 0.0
    var whole = 0.0
    for coordinate in [
      Posture.Coordinate.lean, .flexion, .abduction, .axialRotation, .elbow, .pronation,
    ] {
      let direction = plan.far[coordinate] - plan.home[coordinate]
      along += direction * (posture[coordinate] - plan.home[coordinate])
      whole += direction * direction
    }
    return whole > 0 ? along / whole : 0
  }
}
