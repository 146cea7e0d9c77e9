import SignalProcessing

/// A moment at which a rep may have begun, and the wrist's motion since.
struct OnsetCandidate: Sendable, Codable {
  let moment: WristMoment
  /// Peak speed since the onset, in rad/s.
  private(set) var peakSpeed: Float
  /// Largest turn away from the onset, as twice the sine of half the angle.
  private(set) var range: Float = 0
  private var returnDetector = ReturnDetector()
  private var hasEnded = false
  private var distance: Float = 0
  /// Sum of all changes of the distance.
  private var pathLength: Float = 0
  /// Moments of all turns away: the sum weighted by size, and the sums of the components' squares and
  /// products (yz, zx, xy).
  private var sum = SIMD4<Float>()
  private var squares = SIMD4<Float>()
  private var products = SIMD4<Float>()

  init(_ moment: WristMoment) {
    self.moment = moment
    peakSpeed = moment.speed
  }

  mutating func append(_ next: WristMoment, _ configuration: ProvisionalConfiguration) {
    let turn = moment.attitude.turn(to: next.attitude)
    let size = (turn * turn).sum().squareRoot()
    pathLength += (size - distance).magnitude
    distance = size
    peakSpeed = max(peakSpeed, next.speed)
    range = max(range, size)
    sum += turn * size
    squares += turn * turn
    products += SIMD4(turn.y * turn.z, turn.z * turn.x, turn.x * turn.y, 0)
    // The wrist is still on its way out.
    if size > 0.7 * range { returnDetector = ReturnDetector() }
    hasEnded = returnDetector.hasEnded(
      at: next, distance: size, range: range, peakSpeed: peakSpeed, configuration)
  }

  /// Returns true if the wrist has moved farther away than a wrist at rest does.
  func hasLeft(_ configuration: ProvisionalConfiguration) -> Bool {
    range > configuration.restingFraction * configuration.leastRange
  }

  /// Returns the movement since the onset if it is over and went out and back; nil otherwise.
  ///
  /// - Parameter durations: Allowed durations, in seconds.
  func movement(
    lasting durations: ClosedRange<Double>, _ configuration: ProvisionalConfiguration
  ) -> ProvisionalMovement? {
    guard hasEnded, let end = returnDetector.nearest else { return nil }
    // Beyond 165° the way back cannot be distinguished from continuing in the same direction.
    guard range >= configuration.leastRange, range < 1.98,
      moment.speed <= configuration.restingFraction * peakSpeed,
      durations.contains(end.time - moment.time),
      pathLength <= 2 * configuration.longestPath * range
    else { return nil }
    return ProvisionalMovement(
      begin: moment, end: end, axis: principalAxis, range: range, peakSpeed: peakSpeed)
  }

  /// The principal axis of the turning, directed along the way out, by three steps of the power method.
  private var principalAxis: SIMD4<Float> {
    var axis = sum
    for _ in 0..<3 {
      let length = (axis * axis).sum().squareRoot()
      guard length > 0 else { return axis }
      axis /= length
      axis = product(with: axis)
    }
    let length = (axis * axis).sum().squareRoot()
    guard length > 0 else { return axis }
    axis /= length
    return (axis * sum).sum() < 0 ? -axis : axis
  }

  private func product(with v: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(
      squares.x * v.x + products.z * v.y + products.y * v.z,
      products.z * v.x + squares.y * v.y + products.x * v.z,
      products.y * v.x + products.x * v.y + squares.z * v.z, 0)
  }
}

/// A single movement out and back.
struct ProvisionalMovement: Sendable, Codable {
  var begin: WristMoment
  var end: WristMoment
  /// Axis of the turn on the way out, in the wrist's own frame; unit length.
  var axis: SIMD4<Float>
  /// Extent of the turn, as twice the sine of half the angle.
  var range: Float
  /// Peak speed, in rad/s.
  var peakSpeed: Float

  /// Returns the extent of another movement along this one's axis, as a fraction of the wider of the two: 1
  /// for an identical movement.
  func similarity(to other: ProvisionalMovement) -> Float {
    min(range, other.range) * (axis * other.axis).sum() / max(range, other.range)
  }
}
