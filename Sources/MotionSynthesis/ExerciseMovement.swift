/// The two end postures of a person's exercise, and the person's tempo.
struct ExerciseMovement: Sendable {
  var family: ExerciseFamily
  /// The posture at the start and end of a rep.
  var home: Posture
  /// The posture at the turnaround.
  var far: Posture
  var tempo: Tempo
  /// The arm's posture while the weight rests in its place.
  var racked: Posture

  init(
    family: ExerciseFamily, tempo requested: Tempo?, difficulty: Difficulty,
    random: inout RandomSource
  ) {
    self.family = family
    (home, far) = Self.ends(of: family, random: &random)
    // People differ by some degrees in every angle, and by a tenth in range.
    let radian = Double.pi / 180
    for coordinate in [
      Posture.Coordinate.flexion, .abduction, .axialRotation, .elbow, .pronation,
    ] {
      let shift = random.gaussian(deviation: 4 * radian)
      home[coordinate] += shift
      far[coordinate] += shift + random.gaussian(deviation: 2 * radian)
    }
    far = home.toward(far, random.uniform(0.88...1.05))
    home[.tremor] = 1
    far[.tremor] = 1
    // The hand stays on the bar or floor; the wrist moves by this fraction of a free wrist's motion.
    if let anchor = [.pullUp: 0.88, .pushUp: 0.7][family] {
      home[.anchor] = anchor
      far[.anchor] = anchor
    }
    let dropped = Posture.degrees(
      lean: home[.lean] * 180 / Double.pi * 0.9 + random.uniform(0...15),
      flexion: random.uniform(10...40), abduction: random.uniform(5...20),
      elbow: random.uniform(20...70), pronation: random.uniform(-20...40),
      x: home[.bodyX], z: home[.bodyZ])
    racked = dropped.with(.tremor, 0.6)
    tempo = requested ?? Self.usualTempo(of: family, difficulty: difficulty, random: &random)
  }

  /// Returns the starting and far postures, with the left arm's signs.
  private static func ends(
    of family: ExerciseFamily, random: inout RandomSource
  ) -> (home: Posture, far: Posture) {
    switch family {
    case .curl, .alternatingCurl:
      // On an incline bench the trunk leans back and the upper arm hangs behind it.
      let lean = random.chance(0.4) ? -random.uniform(25...40) : 0.0
      let grip = random.uniform(-85...10)
      return (
        .degrees(lean: lean, flexion: lean, abduction: 8, elbow: 15, pronation: grip),
        .degrees(
          lean: lean, flexion: lean + random.uniform(2...15), abduction: 8,
          elbow: random.uniform(120...138), pronation: min(grip, -random.uniform(40...90)))
      )
    case .overheadPress:
      return (
        .degrees(flexion: 45, abduction: 25, elbow: 128, pronation: 75),
        .degrees(lean: -4, flexion: 165, abduction: 12, axial: 10, elbow: 12, pronation: 85)
      )
    case .benchPress:
      // From flat to an incline of 45°.
      let lean = -random.uniform(48...88)
      return (
        .degrees(lean: lean, flexion: 96 + lean + 75, abduction: 8, elbow: 8, pronation: 80),
        .degrees(
          lean: lean, flexion: 96 + lean - 5, abduction: random.uniform(25...40), elbow: 92,
          pronation: 85)
      )
    case .row:
      if random.chance(0.5) {
        let lean = random.uniform(45...70)
        return (
          .degrees(lean: lean, flexion: lean, elbow: 8, pronation: random.uniform(-10...70)),
          .degrees(lean: lean - 6, flexion: lean - 70, abduction: 12, elbow: 100, pronation: 0)
        )
      }
      return (
        .degrees(lean: 12, flexion: 85, elbow: 8, pronation: 40),
        .degrees(lean: -8, flexion: -15, abduction: 14, elbow: 112, pronation: 0)
      )
    case .lateralRaise:
      return (
        .degrees(flexion: 8, abduction: 10, elbow: 14, pronation: 5),
        .degrees(
          flexion: 14, abduction: random.uniform(78...95), axial: 5, elbow: 20, pronation: 20)
      )
    case .pulldown, .pullUp:
      let grip = random.chance(0.6) ? 80.0 : -70.0
      return (
        .degrees(flexion: 160, abduction: 18, elbow: 8, pronation: grip),
        .degrees(
          lean: -random.uniform(5...20), flexion: random.uniform(28...50), abduction: 40,
          elbow: 118, pronation: grip, z: family == .pullUp ? 0.02 : 0)
      )
    case .squat:
      return (
        .degrees(lean: 4, flexion: -25, abduction: 45, elbow: 138, pronation: 60),
        .degrees(
          lean: random.uniform(28...45), flexion: -27, abduction: 47, elbow: 136, pronation: 60,
          x: -0.12, z: -random.uniform(0.35...0.5))
      )
    case .deadlift:
      let lean = random.uniform(55...75)
      return (
        .degrees(
          lean: lean, flexion: lean - 4, abduction: 6, elbow: 6, pronation: 75, x: -0.15, z: -0.3),
        .degrees(flexion: random.uniform(8...14), abduction: 9, elbow: 4, pronation: 85)
      )
    case .pushUp:
      return (
        .degrees(lean: 78, flexion: 80, abduction: 12, elbow: 6, pronation: 80),
        .degrees(
          lean: 86, flexion: 30, abduction: random.uniform(30...50), elbow: 88, pronation: 80,
          z: -0.05)
      )
    case .alternatingLunge:
      return (
        .degrees(flexion: 2, abduction: 8, elbow: 10, pronation: 5),
        .degrees(
          lean: random.uniform(6...16), flexion: random.uniform(14...28), abduction: 12,
          elbow: 22, pronation: 12, x: 0.35, z: -random.uniform(0.25...0.4))
      )
    }
  }

  private static func usualTempo(
    of family: ExerciseFamily, difficulty: Difficulty, random: inout RandomSource
  ) -> Tempo {
    // Touch-and-go reps, a stop at one end, or stops at both.
    let far = random.chance(0.4) ? random.uniform(0.15...0.9) : 0
    let home = random.chance(0.5) ? random.uniform(0.15...1.0) : 0
    let quick: Double
    switch family {
    case .lateralRaise, .pushUp, .alternatingLunge: quick = 0.85
    case .deadlift, .squat: quick = 1.15
    default: quick = 1
    }
    var tempo = Tempo(
      concentric: quick * random.uniform(0.7...1.6),
      contractedPause: family.startsConcentric ? far : home,
      eccentric: quick * random.uniform(0.9...2.3),
      stretchedPause: family.startsConcentric ? home : far)
    if random.chance(difficulty == .hard ? 0.2 : 0.06) {
      tempo.eccentric = random.uniform(2.5...4.5)
    }
    if difficulty == .hard && random.chance(0.15) {
      tempo = Tempo(concentric: random.uniform(0.35...0.6), eccentric: random.uniform(0.4...0.7))
    }
    return tempo
  }
}
