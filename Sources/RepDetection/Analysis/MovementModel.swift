import Motion

/// One movement that all reps of a set repeat, each in its own time.
///
/// Every channel (rotation rate about the device's three axes, velocity along three fixed ones) is
/// the change of a polynomial of the progress along the movement, the same for all reps and both
/// directions; progress is a ``PhaseCourse`` of time for each way out and each way back. What belongs
/// to the set and what belongs to each rep is found together by least squares (Levenberg and
/// Marquardt; the reps' own parameters eliminated block by block), so that tremor at the slow ends of
/// one rep does not decide, and neither do places at which the wrist's main angle stands still while
/// the arm goes on.
struct MovementModel {
  /// What all reps share.
  struct Shape {
    /// For every channel the coefficients of the powers of progress, less constant.
    var path: [SIMD4<Double>]
    /// How much the movement turns around, rather than stops, at both ends: see ``PhaseCourse``.
    var homeTurn: Double
    var farTurn: Double
  }

  /// What each rep has of its own: seconds on the samples' clock, and the manner of both phases.
  struct Rep {
    static let count = 9
    /// begin, arrival, departure, end; skew out and back; sticking out and back; range.
    var values: [Double]
    /// Whether it comes out of a rest, and ends in one, whatever the other reps do at home.
    var restsBefore = false
    var restsAfter = false

    var begin: Double { values[0] }
    var arrival: Double { values[1] }
    var departure: Double { values[2] }
    var end: Double { values[3] }
    var range: Double { values[8] }
  }

  /// The samples around one rep: means over equal intervals.
  struct Window {
    /// Seconds on the samples' clock of the first interval's begin.
    var start: Double
    var interval: Double
    /// Per channel and interval; velocities less their drift.
    var channels: [[Double]]
    /// Channels from this index on are velocities.
    var firstVelocity: Int
    /// See ``driftCourses(order:count:)``.
    var drift: [[Double]]
    var count: Int { channels.first?.count ?? 0 }
  }

  var shape: Shape
  var reps: [Rep]
  /// Whether the two ways of a rep meet at the far end in one turn.
  let turnsAtFarEnd: Bool

  /// What a turn, or a rest, is like where nothing else is known.
  static func usualTurn(_ turns: Bool) -> Double { turns ? 0.85 : 0 }

  /// Progress at an instant.
  func progress(_ rep: Rep, _ time: Double) -> Double {
    let p = rep.values
    let out = p[1] - p[0]
    let back = p[3] - p[2]
    let longest = max(out, back)
    let outScale = out * out / (longest * longest)
    let backScale = back * back / (longest * longest)
    let value: Double
    if time < (p[1] + p[2]) / 2 {
      value = PhaseCourse(
        skew: p[4], sticking: p[6], beginTurn: rep.restsBefore ? 0 : shape.homeTurn * outScale,
        endTurn: shape.farTurn * outScale
      ).progress((time - p[0]) / out)
    } else {
      value =
        1
        - PhaseCourse(
          skew: p[5], sticking: p[7], beginTurn: shape.farTurn * backScale,
          endTurn: rep.restsAfter ? 0 : shape.homeTurn * backScale
        ).progress((time - p[2]) / back)
    }
    return value * p[8]
  }

  private static func powers(_ s: Double) -> SIMD4<Double> {
    let z = s - 0.5
    let square = z * z
    return SIMD4(z, square, square * z, square * square)
  }

  /// For every interval the change of the powers of progress, per second.
  func changes(_ rep: Rep, in window: Window) -> [SIMD4<Double>] {
    var previous = Self.powers(progress(rep, window.start))
    return (0..<window.count).map { index in
      let next = Self.powers(
        progress(rep, window.start + Double(index + 1) * window.interval))
      defer { previous = next }
      return (next - previous) / window.interval
    }
  }

  /// All channels one after the other; velocities less their drift.
  static func predicted(
    _ changes: [SIMD4<Double>], path: [SIMD4<Double>], in window: Window
  ) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(changes.count * path.count)
    for (channel, coefficients) in path.enumerated() {
      let first = result.count
      for change in changes { result.append((change * coefficients).sum()) }
      if channel >= window.firstVelocity { window.takeOffDrift(&result, from: first) }
    }
    return result
  }
}

extension MovementModel.Window {
  /// Orthonormal polynomials in time up to an order: what integrated acceleration drifts by.
  static func driftCourses(order: Int, count: Int) -> [[Double]] {
    var result: [[Double]] = []
    for power in 0...max(0, order) {
      var course = (0..<count).map { index -> Double in
        let x = (Double(index) + 0.5) / Double(count) * 2 - 1
        return (0..<power).reduce(1.0) { product, _ in product * x }
      }
      for other in result {
        let part = zip(course, other).reduce(0) { $0 + $1.0 * $1.1 }
        for index in course.indices { course[index] -= part * other[index] }
      }
      let length = course.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard length > 1e-6 else { break }
      result.append(course.map { $0 / length })
    }
    return result
  }

  /// Takes off what the values, from an index on, have of a drift.
  func takeOffDrift(_ values: inout [Double], from first: Int) {
    for course in drift {
      var part = 0.0
      for index in course.indices { part += course[index] * values[first + index] }
      for index in course.indices { values[first + index] -= part * course[index] }
    }
  }
}
