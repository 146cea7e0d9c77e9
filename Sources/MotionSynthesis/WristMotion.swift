import SignalProcessing

/// The watch's pose over time, from postures, walking, tremor and knocks by the arm's kinematics.
struct WristMotion: Sendable {
  private struct Oscillation: Sendable {
    var coordinate: Posture.Coordinate
    /// Radians per second.
    var frequency: Double
    /// In radians or meters.
    var amplitude: Double
    var phase: Double
  }

  /// The parts of the motion to evaluate.
  enum Detail: Sendable {
    /// The planned movement alone, for the ground truth.
    case planned
    /// All motion including tremor, sway and knocks, for the sensors.
    case full
  }

  let track: PostureTrack
  let arm: ArmModel
  private let impacts: [RecordingScript.Impact]
  private var tremor: [Oscillation] = []
  /// Rotation of the watch on the arm about its own three axes, as the strap gives and the wrist bends.
  private var strap: [[Oscillation]] = []
  private var sway: [Oscillation] = []
  /// Positions of a fixed hand in the world, by start time.
  private var anchors: [(time: Double, position: Vector3)] = []
  private let stride: Double
  private let swing: Double
  private let bounce: Double
  private let walkPhase: Double

  init(script: RecordingScript, arm: ArmModel, random: inout RandomSource) {
    track = script.track
    self.arm = arm
    impacts = script.impacts
    let turn = 2 * Double.pi
    stride = turn * random.uniform(0.8...1.1)
    swing = random.uniform(0.14...0.34)
    bounce = random.uniform(0.009...0.018)
    walkPhase = random.uniform(0...turn)
    let shakiness = random.uniform(0.5...1.5)
    for coordinate in [
      Posture.Coordinate.flexion, .abduction, .axialRotation, .elbow, .pronation,
    ] {
      for band in [2.5...5.0, 5.0...8.0, 8.0...12.0] {
        let frequency = turn * random.uniform(band)
        let rate = shakiness * random.uniform(0.01...0.032)
        tremor.append(
          Oscillation(
            coordinate: coordinate, frequency: frequency, amplitude: rate / frequency,
            phase: random.uniform(0...turn)))
      }
    }
    for _ in 0..<3 {
      strap.append(
        [1.5...4.0, 4.0...8.0, 8.0...13.0].map { band in
          let frequency = turn * random.uniform(band)
          let rate = shakiness * random.uniform(0.05...0.13)
          return Oscillation(
            coordinate: .pronation, frequency: frequency, amplitude: rate / frequency,
            phase: random.uniform(0...turn))
        })
    }
    let swaying: [(Posture.Coordinate, Double)] = [
      (.lean, 0.006), (.heading, 0.008), (.bodyX, 0.004), (.bodyY, 0.004), (.flexion, 0.008),
      (.abduction, 0.006), (.pronation, 0.01),
    ]
    for (coordinate, amplitude) in swaying {
      for band in [0.15...0.35, 0.4...0.9] {
        sway.append(
          Oscillation(
            coordinate: coordinate, frequency: turn * random.uniform(band),
            amplitude: amplitude * random.uniform(0.4...1.2), phase: random.uniform(0...turn)))
      }
    }
    for set in script.sets where set.home[.anchor] > 0 {
      anchors.append((set.executionStart - 5, arm.pose(set.home).position))
    }
  }

  /// Returns the pose at a time.
  ///
  /// - Parameter cursor: See ``PostureTrack/posture(at:cursor:)``.
  func pose(at time: Double, detail: Detail, cursor: inout Int) -> WatchPose {
    var posture = track.posture(at: time, cursor: &cursor)
    if posture[.walking] > 0 { addGait(to: &posture, at: time) }
    if detail == .full {
      for oscillation in sway {
        posture[oscillation.coordinate] +=
          oscillation.amplitude
          * DeterministicMath.sine(oscillation.frequency * time + oscillation.phase)
      }
      let amount = posture[.tremor]
      if amount > 0 {
        // The strength of tremor varies over time.
        let strength = amount * (1 + 0.5 * DeterministicMath.sine(1.9 * time + walkPhase))
        for oscillation in tremor {
          posture[oscillation.coordinate] +=
            strength * oscillation.amplitude
            * DeterministicMath.sine(oscillation.frequency * time + oscillation.phase)
        }
      }
    }
    var pose = arm.pose(posture)
    if detail == .full && posture[.tremor] > 0 {
      pose.attitude = pose.attitude * strapRotation(at: time, amount: posture[.tremor])
    }
    let anchor = posture[.anchor]
    if anchor > 0, let place = anchors.last(where: { $0.time <= time })?.position {
      pose.position = pose.position + anchor * (place - pose.position)
    }
    if detail == .full {
      for impact in impacts where (impact.time - time).magnitude < 0.25 {
        pose.position = pose.position + Self.displacement(of: impact, at: time)
      }
    }
    return pose
  }

  private func strapRotation(at time: Double, amount: Double) -> Quaternion {
    let strength = amount * (1 + 0.5 * DeterministicMath.sine(2.7 * time - walkPhase))
    let angles = strap.map { oscillations in
      oscillations.reduce(0) { sum, oscillation in
        sum + strength * oscillation.amplitude
          * DeterministicMath.sine(oscillation.frequency * time + oscillation.phase)
      }
    }
    return .small(Vector3(angles[0], angles[1], angles[2]))
  }

  /// Adds arm swing at the stride frequency, and bounce and heel strikes at twice that.
  private func addGait(to posture: inout Posture, at time: Double) {
    let amount = posture[.walking]
    let phase = stride * time + walkPhase + 0.5 * DeterministicMath.sine(0.7 * time + 2 * walkPhase)
    let (s, c) = DeterministicMath.sineCosine(phase)
    posture[.flexion] += amount * swing * s
    posture[.elbow] += amount * swing * (0.45 + 0.45 * (0.8 * s - 0.6 * c))
    posture[.pronation] += amount * 0.12 * c
    posture[.heading] += amount * 0.05 * s
    posture[.bodyY] += amount * 0.018 * c
    // The phases of the harmonics produce a sharp rise after each heel strike.
    let steps: [(harmonic: Double, part: Double, lag: Double)] = [
      (2, 1, 0), (4, 0.13, 0.5), (6, 0.042, 1.0), (8, 0.018, 1.5), (12, 0.004, 2.5),
    ]
    for step in steps {
      posture[.bodyZ] +=
        amount * bounce * step.part
        * DeterministicMath.cosine(step.harmonic * phase + step.lag)
    }
  }

  /// Returns a Gaussian-windowed oscillation, smooth in all derivatives.
  private static func displacement(of impact: RecordingScript.Impact, at time: Double) -> Vector3 {
    let omega = 2 * Double.pi * impact.frequency
    let u = time - impact.time
    let width = 0.028
    let window = DeterministicMath.exponential(-0.5 * u * u / (width * width))
    let size = impact.acceleration / (omega * omega)
    return (size * window * DeterministicMath.sine(omega * u)) * impact.direction
  }

  /// Half the spacing of finite differences, in seconds. Their errors are far below the sensors' resolution.
  static let step = 0.000_5

  /// Returns the angular velocity in the watch's frame, in rad/s.
  func angularVelocity(at time: Double, detail: Detail, cursor: inout Int) -> Vector3 {
    let before = pose(at: time - Self.step, detail: detail, cursor: &cursor)
    let after = pose(at: time + Self.step, detail: detail, cursor: &cursor)
    return (0.5 / Self.step) * (before.attitude.conjugate * after.attitude).rotationVector
  }

  /// Returns all quantities that sensors measure at a time.
  func kinematics(at time: Double, detail: Detail, cursor: inout Int) -> WristKinematics {
    let before = pose(at: time - Self.step, detail: detail, cursor: &cursor)
    let now = pose(at: time, detail: detail, cursor: &cursor)
    let after = pose(at: time + Self.step, detail: detail, cursor: &cursor)
    let rate = (0.5 / Self.step) * (before.attitude.conjugate * after.attitude).rotationVector
    let second = (after.position - now.position) - (now.position - before.position)
    return WristKinematics(
      pose: now, angularVelocity: rate, acceleration: (1 / (Self.step * Self.step)) * second)
  }
}
