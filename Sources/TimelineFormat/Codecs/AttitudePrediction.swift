/// Predicts roll, pitch and yaw from those before and the rotation rate between.
///
/// Core Motion's attitude turns by yaw about z, then pitch about x, then roll about y. With the
/// rotation rate (ωx, ωy, ωz) in the device's frame, and A = ωz·cos roll − ωx·sin roll:
///
///     roll' = ωy − A·tan pitch,  pitch' = ωx·cos roll + ωz·sin roll,  yaw' = A / cos pitch
///
/// The rotation rate is the mean of both samples; the functions of the angles are extrapolated to
/// the middle between them, 1.5·(last) − 0.5·(last but one).
/// `docs/timeline-format.md`, "Prediction by rotation".
struct AttitudePrediction {
  private struct Functions {
    var sine = 0.0
    var cosine = 1.0
    var tangentOfPitch = 0.0
    var secantOfPitch = 1.0
  }

  /// Steps of time longer than this, or not positive, predict no change. Seconds.
  static let maximumStep = 0.1
  /// The least cosine of pitch that is divided by.
  static let minimumCosine = 0.015625

  private var last = Functions()
  private var lastButOne = Functions()
  private var isFirst = true

  /// Goes on to the next row.
  ///
  /// - Returns: The direction of gravity there, as ``GravityDirection`` has it.
  @inline(__always)
  mutating func append(roll: Double, pitch: Double) -> (x: Double, y: Double, z: Double) {
    let (sine, cosine) = DeterministicTrigonometry.sineAndCosine(SIMD2(roll, pitch))
    let cosineOfPitch = cosine.y > Self.minimumCosine ? cosine.y : Self.minimumCosine
    let functions = Functions(
      sine: sine.x, cosine: cosine.x, tangentOfPitch: sine.y / cosineOfPitch,
      secantOfPitch: 1 / cosineOfPitch)
    lastButOne = isFirst ? functions : last
    last = functions
    isFirst = false
    return (cosine.y * sine.x, -sine.y, -(cosine.y * cosine.x))
  }

  /// The change from the last row to the next one.
  ///
  /// - Parameters:
  ///   - step: Seconds between both.
  ///   - rate: The sum of both rows' rotation rates, in radians per second.
  @inline(__always)
  func change(
    step: Double, rateSum: (x: Double, y: Double, z: Double)
  ) -> (roll: Double, pitch: Double, yaw: Double) {
    let time = step > 0 && step <= Self.maximumStep ? step * 0.5 : 0
    let sine = 1.5 * last.sine - 0.5 * lastButOne.sine
    let cosine = 1.5 * last.cosine - 0.5 * lastButOne.cosine
    let tangent = 1.5 * last.tangentOfPitch - 0.5 * lastButOne.tangentOfPitch
    let secant = 1.5 * last.secantOfPitch - 0.5 * lastButOne.secantOfPitch
    let across = cosine * rateSum.z - sine * rateSum.x
    return (
      (rateSum.y - tangent * across) * time, (cosine * rateSum.x + sine * rateSum.z) * time,
      (across * secant) * time
    )
  }

  /// The integer predicted for a value, where the integers are `scale` to one.
  @inline(__always)
  static func integer(_ value: Double, scale: Double, previous: Int64) -> Int64 {
    let scaled = value * scale
    guard abs(scaled) < ValueScale.maximumMagnitude else { return previous }
    return Int64(DeterministicTrigonometry.rounded(scaled))
  }
}
