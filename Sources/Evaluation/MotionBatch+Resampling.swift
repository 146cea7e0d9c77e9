import Motion

extension MotionBatch {
  /// The batch at the instants `k / rateHz`, about as a sensor of that rate would measure it: each value is the
  /// mean of its own channel's readings less than one new interval away, weighted by their nearness. Where
  /// there is at most one, it is interpolated linearly between the readings around it.
  ///
  /// Instants at which no channel but time has a reading on both sides are left out. Angles are
  /// interpolated along the shorter way round. Times are returned in seconds. O(samples).
  ///
  /// - Parameter rateHz: the new rate, positive and finite.
  func resampled(rateHz: Double) -> MotionBatch {
    let source = inStandardUnits()
    guard let first = source.times.first, let last = source.times.last, rateHz > 0 else {
      return source
    }
    let firstIndex = (first * rateHz).rounded(.up)
    let lastIndex = (last * rateHz).rounded(.down)
    guard firstIndex <= lastIndex, lastIndex - firstIndex < 1e8 else {
      return MotionBatch(units: .standard, clock: clock)
    }
    let times = (0...Int(lastIndex - firstIndex)).map { (firstIndex + Double($0)) / rateHz }
    var columns: [MotionChannel: [Double]] = [.time: times]
    for channel in source.channels where channel != .time {
      columns[channel] = averaged(
        source[channel], at: source.times, to: times, interval: 1 / rateHz,
        wraps: channel.quantity == .attitude)
    }
    var result = MotionBatch(columns, clock: clock)
    result.estimated = estimated
    return result
  }
}

/// Means and linear interpolation of the values that are not NaN; NaN outside them.
private func averaged(
  _ values: [Double], at times: [Double], to instants: [Double], interval: Double, wraps: Bool
) -> [Double] {
  let rows = values.indices.filter { !values[$0].isNaN }
  guard let firstRow = rows.first, let lastRow = rows.last else {
    return Array(repeating: .nan, count: instants.count)
  }
  func step(from a: Double, to b: Double) -> Double {
    wraps ? (b - a).remainder(dividingBy: 2 * .pi) : b - a
  }
  var result: [Double] = []
  result.reserveCapacity(instants.count)
  var next = 0
  var nearest = 0
  for instant in instants {
    guard instant >= times[firstRow], instant <= times[lastRow] else {
      result.append(.nan)
      continue
    }
    while nearest < rows.count, times[rows[nearest]] <= instant - interval { nearest += 1 }
    let near = rows[nearest...].prefix { times[$0] < instant + interval }
    if let first = near.first, near.count > 1 {
      var weights = 0.0
      var sum = 0.0
      for row in near {
        let weight = interval - (times[row] - instant).magnitude
        weights += weight
        sum += weight * step(from: values[first], to: values[row])
      }
      if weights > 0 {
        result.append(values[first] + sum / weights)
        continue
      }
    }
    while next < rows.count - 1, times[rows[next]] < instant { next += 1 }
    let after = rows[next]
    let before = rows[max(0, next - 1)]
    let span = times[after] - times[before]
    guard span > 0 else {
      result.append(values[after])
      continue
    }
    result.append(
      values[before] + step(from: values[before], to: values[after])
        * ((instant - times[before]) / span))
  }
  return result
}
