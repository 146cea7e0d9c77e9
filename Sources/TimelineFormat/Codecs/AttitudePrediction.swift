/// Predicts roll, pitch and yaw from the previous row and the rotation rate, in all lanes at once.
///
/// Core Motion's attitude rotates by yaw about z, then pitch about x, then roll about y. With the rotation
/// rate (ωx, ωy, ωz) in the device's frame, and A = ωz·cos roll − ωx·sin roll:
///
///     roll' = ωy − A·tan pitch,  pitch' = ωx·cos roll + ωz·sin roll,  yaw' = A / cos pitch
///
/// The rotation rate is the mean of both samples. Functions of the angles are extrapolated to the midpoint
/// between them, 1.5·(last) − 0.5·(last but one). `docs/timeline-format.md`, "Prediction by rotation".
struct AttitudePrediction {
  /// One number per lane (``LaneRows``). A row depends on the row before through a long chain of operations, so a
  /// single lane would leave most of the processor idle.
  typealias Lanes = SIMD4<Double>

  /// Inputs of the prediction besides the attitude.
  struct Motion {
    /// In seconds.
    var time: Lanes
    /// In radians per second.
    var rateX: Lanes
    var rateY: Lanes
    var rateZ: Lanes
  }

  private struct Functions {
    var sine = Lanes.zero
    var cosine = Lanes(repeating: 1)
    var tangentOfPitch = Lanes.zero
    var secantOfPitch = Lanes(repeating: 1)
  }

  /// Maximum time step, in seconds. Longer or nonpositive steps predict no change.
  static let maximumStep = 0.1
  /// Lower bound of the cosine of pitch as a divisor.
  static let minimumCosine = 0.015625

  private var last = Functions()
  private var lastButOne = Functions()
  private var isFirst = true

  /// Advances to the next row of each lane, and returns the direction of gravity there.
  @inline(__always)
  mutating func append(roll: Lanes, pitch: Lanes) -> GravityDirection.Lanes {
    let (sine, cosine) = DeterministicTrigonometry.sineAndCosine(roll)
    let (sineOfPitch, cosineOfPitch) = DeterministicTrigonometry.sineAndCosine(pitch)
    let divisor = Lanes(repeating: Self.minimumCosine)
      .replacing(with: cosineOfPitch, where: cosineOfPitch .> Self.minimumCosine)
    let functions = Functions(
      sine: sine, cosine: cosine, tangentOfPitch: sineOfPitch / divisor,
      secantOfPitch: 1 / divisor)
    lastButOne = isFirst ? functions : last
    last = functions
    isFirst = false
    // Negating lanes would subtract from 0 and lose the sign of zero.
    return GravityDirection.Lanes(
      x: cosineOfPitch * sine, y: -1 * sineOfPitch, z: -1 * (cosineOfPitch * cosine))
  }

  /// Returns the expected change from the last appended row to the next one.
  @inline(__always)
  func change(
    from before: Motion, to after: Motion
  ) -> (roll: Lanes, pitch: Lanes, yaw: Lanes) {
    let step = after.time - before.time
    let time = Lanes.zero.replacing(with: step * 0.5, where: step .> 0 .& step .<= Self.maximumStep)
    let rateSum = (
      x: after.rateX + before.rateX, y: after.rateY + before.rateY, z: after.rateZ + before.rateZ
    )
    let sine: Lanes = 1.5 * last.sine - 0.5 * lastButOne.sine
    let cosine: Lanes = 1.5 * last.cosine - 0.5 * lastButOne.cosine
    let tangent: Lanes = 1.5 * last.tangentOfPitch - 0.5 * lastButOne.tangentOfPitch
    let secant: Lanes = 1.5 * last.secantOfPitch - 0.5 * lastButOne.secantOfPitch
    let across: Lanes = cosine * rateSum.z - sine * rateSum.x
    let roll: Lanes = (rateSum.y - tangent * across) * time
    let pitch: Lanes = (cosine * rateSum.x + sine * rateSum.z) * time
    return (roll, pitch, (across * secant) * time)
  }

  /// Returns the integers of values, `scale` to one; the previous integers for values that are too large.
  @inline(__always)
  static func integers(
    _ values: Lanes, scale: Double, previous: SIMD4<Int64>
  ) -> SIMD4<Int64> {
    let scaled = values * scale
    let limit = ValueScale.maximumMagnitude
    return previous.replacing(
      with: DeterministicTrigonometry.rounded(scaled).integers,
      where: scaled .< limit .& scaled .> -limit)
  }
}
