/// Posture as a twice continuously differentiable function of time.
///
/// Between key frames, where every coordinate has zero velocity, each coordinate follows a quintic: minimum
/// jerk (Flash and Hogan, J. Neurosci. 5, 1985) if the movement stops, or with an acceleration at the key
/// frame if it turns around without stopping. So acceleration is finite and continuous everywhere.
struct PostureTrack: Sendable {
  /// The distribution of speed over a movement between key frames.
  struct Profile: Sendable, Hashable {
    /// Shift of the peak speed, −0.4 to 0.4: later below 0, earlier above.
    var skew = 0.0
    /// Depth of the slowdown in mid-movement, 0 to 0.2: the sticking region of a hard rep.
    var sticking = 0.0
  }

  private(set) var times: [Double]
  private(set) var postures: [Posture]
  private var profiles: [Profile]
  private var turning: [Double]
  private var accelerations: [SIMD16<Double>]

  init(start: Double, posture: Posture) {
    times = [start]
    postures = [posture]
    profiles = []
    turning = [0]
    accelerations = [.zero]
  }

  var end: Double { times[times.count - 1] }
  var last: Posture { postures[postures.count - 1] }

  /// Moves to a posture in the given time.
  ///
  /// - Parameter turning: 0 to stop at the posture; 1 to turn around there like a harmonic oscillation.
  mutating func move(
    to posture: Posture, duration: Double, profile: Profile = Profile(), turning: Double = 0
  ) {
    times.append(end + max(0.05, duration))
    postures.append(posture)
    profiles.append(profile)
    self.turning.append(turning)
    accelerations.append(.zero)
  }

  mutating func hold(_ duration: Double) {
    guard duration > 0 else { return }
    move(to: last, duration: duration)
  }

  /// Computes the accelerations of the turning key frames. Call once, after the last move.
  mutating func finish() {
    guard times.count > 2 else { return }
    for index in 1..<(times.count - 1) where turning[index] > 0 {
      let before = postures[index - 1].values - postures[index].values
      let after = postures[index + 1].values - postures[index].values
      let duration = max(times[index] - times[index - 1], times[index + 1] - times[index])
      // A harmonic movement over a distance in half a period has this acceleration at its ends.
      let scale = turning[index] * 0.5 * Double.pi * Double.pi / (duration * duration)
      var acceleration = SIMD16<Double>.zero
      for lane in 0..<16 where before[lane] * after[lane] > 0 {
        let distance = min(before[lane].magnitude, after[lane].magnitude)
        acceleration[lane] = scale * (before[lane] < 0 ? -distance : distance)
      }
      accelerations[index] = acceleration
    }
  }

  /// Returns the posture at a time; constant before the first and after the last key frame.
  ///
  /// - Parameter cursor: Any index to start at. Consecutive calls with neighboring times take O(1).
  func posture(at time: Double, cursor: inout Int) -> Posture {
    let segments = times.count - 1
    guard segments > 0 else { return postures[0] }
    cursor = min(max(cursor, 0), segments - 1)
    while cursor > 0 && time < times[cursor] { cursor -= 1 }
    while cursor < segments - 1 && time >= times[cursor + 1] { cursor += 1 }
    let start = times[cursor]
    let duration = times[cursor + 1] - start
    let u = (time - start) / duration
    if u <= 0 { return postures[cursor] }
    if u >= 1 { return postures[cursor + 1] }
    let profile = profiles[cursor]
    let v = 1 - u
    let w = u + profile.skew * u * v
    var s = w * w * w * (10 + w * (6 * w - 15))
    if profile.sticking != 0 {
      let b = 4 * u * v
      s += profile.sticking * b * b * b * DeterministicMath.sine(2 * Double.pi * u)
    }
    let first = postures[cursor].values
    let square = 0.5 * duration * duration * u * u * v * v
    var values = first + s * (postures[cursor + 1].values - first)
    values += (square * v) * accelerations[cursor]
    values += (square * u) * accelerations[cursor + 1]
    return Posture(values: values)
  }
}
