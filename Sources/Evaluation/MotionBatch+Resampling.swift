import Motion

extension MotionBatch {
  /// Returns the batch at the times `k / rateHz`, approximately as a sensor with that rate would measure it.
  /// Each value is the mean of its channel's readings within one new interval, weighted by proximity. With at
  /// most one such reading, the value is interpolated linearly between its neighbors.
  ///
  /// Omits times at which no channel has readings on both sides. Angles are interpolated along the shorter
  /// arc. The resulting times are in seconds. O(samples).
  ///
  /// - Parameter rateHz: The new rate, in hertz; positive and finite.
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

/// Returns means and linear interpolations of the values that are not NaN, and NaN outside of them.
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
