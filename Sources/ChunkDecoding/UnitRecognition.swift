import Motion

#if canImport(Glibc)
  // Links the math library, which square roots and rounding may call.
  import Glibc
#endif

/// Infers units from the size of values, for inputs that do not state them.
package enum UnitRecognition {
  /// Sets the unit of gravity, and of the accelerations with it, to m/s² or g by gravity's length.
  ///
  /// Gravity has length 1 in g and 9.81 in m/s²; the threshold for the median length is 3.
  package static func recognizeFromGravity(_ batch: inout MotionBatch) {
    guard batch.has(.gravity), let length = medianLength(batch, .gravity) else { return }
    let unit: AccelerationUnit = length > 3 ? .metersPerSecondSquared : .g
    batch.units.gravity = unit
    batch.units.userAcceleration = unit
    batch.units.totalAcceleration = unit
  }

  /// The inferred kind of an acceleration.
  package struct Acceleration: Sendable, Hashable {
    package var unit: AccelerationUnit
    package var includesGravity: Bool
  }

  /// Infers unit and gravity of an acceleration from its length at rest: near 1 g, 9.81 m/s² or zero.
  ///
  /// Rest is where the vector varies least: the quietest fifth of windows of 25 samples.
  ///
  /// - Returns: nil if there are no values.
  /// - Complexity: O(n log n).
  package static func recognizeAcceleration(
    x: [Double], y: [Double], z: [Double]
  ) -> Acceleration? {
    let width = 25
    let count = min(x.count, y.count, z.count)
    var rows: [(x: Double, y: Double, z: Double)] = []
    rows.reserveCapacity(count)
    for row in 0..<count where x[row].isFinite && y[row].isFinite && z[row].isFinite {
      rows.append((x[row], y[row], z[row]))
    }
    guard !rows.isEmpty else { return nil }
    var windows: [(variance: Double, length: Double)] = []
    var start = 0
    while start < rows.count {
      let end = min(start + width, rows.count)
      if end - start < width, !windows.isEmpty { break }
      let n = Double(end - start)
      var mean = (x: 0.0, y: 0.0, z: 0.0)
      for row in rows[start..<end] {
        mean.x += row.x / n
        mean.y += row.y / n
        mean.z += row.z / n
      }
      var variance = 0.0
      for row in rows[start..<end] {
        let (dx, dy, dz) = (row.x - mean.x, row.y - mean.y, row.z - mean.z)
        variance += (dx * dx + dy * dy + dz * dz) / n
      }
      windows.append(
        (variance, (mean.x * mean.x + mean.y * mean.y + mean.z * mean.z).squareRoot()))
      start = end
    }
    windows.sort { ($0.variance, $0.length) < ($1.variance, $1.length) }
    var lengths = windows.prefix(max(1, windows.count / 5)).map { $0.length }
    lengths.sort()
    let length = lengths[lengths.count / 2]
    if length > 5 { return Acceleration(unit: .metersPerSecondSquared, includesGravity: true) }
    if length > 0.5, length < 2 { return Acceleration(unit: .g, includesGravity: true) }
    // Gravity was removed. A wrist stays below 16 g, but exceeds that number in m/s².
    let peak = rows.reduce(0.0) { max($0, $1.x.magnitude, $1.y.magnitude, $1.z.magnitude) }
    return Acceleration(
      unit: peak > 20 ? .metersPerSecondSquared : .g, includesGravity: false)
  }

  /// Infers the unit of a time column from the sampling rate, and whether it counts from 1970.
  ///
  /// A wrist sensor samples 2 to 2,000 times a second. Among the units that give such a rate, prefers one
  /// that makes the times present-day dates, then the rate nearest to 50 Hz. Steps are taken in order of
  /// time, whatever the order of rows. If no unit gives such a rate, the size of the values decides.
  ///
  /// - Parameter times: Finite times, in any order.
  /// - Complexity: O(n log n); O(n) if they are in order.
  static func recognizeTime(_ times: [Double]) -> (unit: TimeUnit, clock: MotionClock) {
    guard let first = times.first else { return (.seconds, .device) }
    let units: [TimeUnit] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
    func isDate(_ unit: TimeUnit) -> Bool { (1e9..<5e9).contains(first / unit.unitsPerSecond) }
    if let interval = typicalInterval(times) {
      let possible = units.filter { (2...2000).contains($0.unitsPerSecond / interval) }
      if let unit = possible.first(where: isDate) { return (unit, .unix) }
      func distance(_ unit: TimeUnit) -> Double {
        let ratio = unit.unitsPerSecond / interval / 50
        return max(ratio, 1 / ratio)
      }
      if let unit = possible.min(by: { distance($0) < distance($1) }) { return (unit, .device) }
    }
    return units.first(where: isDate).map { ($0, .unix) } ?? (.seconds, .device)
  }

  /// Returns the median positive time step times the fraction of such steps, since samples may share times.
  private static func typicalInterval(_ times: [Double]) -> Double? {
    let isOrdered = times.indices.dropFirst().allSatisfy { times[$0] >= times[$0 - 1] }
    let ordered = isOrdered ? times : times.sorted()
    var steps: [Double] = []
    for row in ordered.indices.dropFirst() where ordered[row] > ordered[row - 1] {
      steps.append(ordered[row] - ordered[row - 1])
    }
    guard !steps.isEmpty else { return nil }
    steps.sort()
    return steps[steps.count / 2] * Double(steps.count) / Double(ordered.count - 1)
  }

  /// Returns whether a rotation rate is in degrees per second: it exceeds a wrist's range in rad/s.
  ///
  /// A sensor's range is 2000 °/s, or 35 rad/s.
  package static func isInDegrees(rotationRate values: [Double]) -> Bool {
    values.contains { $0.isFinite && $0.magnitude > 40 }
  }

  /// Returns whether angles are in degrees: they exceed two turns in radians.
  package static func isInDegrees(angles values: [Double]) -> Bool {
    values.contains { $0.isFinite && $0.magnitude > 4 * Double.pi }
  }

  private static func medianLength(_ batch: MotionBatch, _ quantity: MotionQuantity) -> Double? {
    let channels = quantity.channels
    guard channels.count == 3 else { return nil }
    let (x, y, z) = (batch[channels[0]], batch[channels[1]], batch[channels[2]])
    func finiteSquares(every step: Int) -> [Double] {
      stride(from: 0, to: batch.count, by: step).compactMap { row in
        let square = x[row] * x[row] + y[row] * y[row] + z[row] * z[row]
        return square.isFinite ? square : nil
      }
    }
    // A few values, evenly spaced, are enough. A slower sensor may have none in those rows.
    var squares = finiteSquares(every: max(1, batch.count / 15))
    if squares.count < 5 { squares = finiteSquares(every: 1) }
    guard !squares.isEmpty else { return nil }
    squares.sort()
    return squares[squares.count / 2].squareRoot()
  }
}
