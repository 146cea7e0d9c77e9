import Motion

extension MotionBatch {
  /// The batch at the instants `k / rateHz`, each value interpolated linearly between the readings
  /// of its own channel around it.
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
      columns[channel] = interpolated(
        source[channel], at: source.times, to: times, wraps: channel.quantity == .attitude)
    }
    var result = MotionBatch(columns, clock: clock)
    result.estimated = estimated
    return result
  }
}

/// Linear interpolation of the values that are not NaN; NaN outside them.
private func interpolated(
  _ values: [Double], at times: [Double], to instants: [Double], wraps: Bool
) -> [Double] {
  let rows = values.indices.filter { !values[$0].isNaN }
  guard let firstRow = rows.first, let lastRow = rows.last else {
    return Array(repeating: .nan, count: instants.count)
  }
  var result: [Double] = []
  result.reserveCapacity(instants.count)
  var next = 0
  for instant in instants {
    guard instant >= times[firstRow], instant <= times[lastRow] else {
      result.append(.nan)
      continue
    }
    while next < rows.count - 1, times[rows[next]] < instant { next += 1 }
    let after = rows[next]
    let before = rows[max(0, next - 1)]
    let span = times[after] - times[before]
    guard span > 0 else {
      result.append(values[after])
      continue
    }
    var step = values[after] - values[before]
    if wraps {
      step.formRemainder(dividingBy: 2 * .pi)
    }
    result.append(values[before] + step * ((instant - times[before]) / span))
  }
  return result
}
