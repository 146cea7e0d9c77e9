/// The course of a recording as movements of the body: the lead-in, sets, rests.
///
/// Times are in seconds since the start of the recording.
struct RecordingScript: Sendable {
  /// A knock, as from setting down or picking up a weight: a short oscillation of the whole arm.
  struct Impact: Sendable {
    var time: Double
    /// Peak acceleration, in m/s².
    var acceleration: Double
    var direction: Vector3
    /// In hertz.
    var frequency: Double
  }

  struct PlannedRep: Sendable {
    var outStart: Double
    var outEnd: Double
    var backStart: Double
    var backEnd: Double
    var range: Double
    var isPartial: Bool
  }

  struct PlannedSet: Sendable {
    var reps: [PlannedRep] = []
    var style: SetStyle
    var executionStart = 0.0
    var executionEnd = 0.0
    var home: Posture
    var far: Posture
  }

  var options: SynthesisOptions
  var movement: ExerciseMovement
  var random: RandomSource
  var track: PostureTrack
  var impacts: [Impact] = []
  var sets: [PlannedSet] = []
  var heading = 0.0

  init(options: SynthesisOptions, movement: ExerciseMovement, random: RandomSource) {
    self.options = options
    self.movement = movement
    self.random = random
    track = PostureTrack(start: 0, posture: Self.standing)
    write()
  }

  var isHard: Bool { options.difficulty == .hard }

  /// A standing person with hanging arms.
  static let standing = Posture.degrees(flexion: 2, abduction: 7, elbow: 14, pronation: 25)
    .with(.tremor, 0.3)

  private mutating func write() {
    heading = random.uniform(-3...3)
    track = PostureTrack(start: 0, posture: here(Self.standing))
    rest(seconds: random.uniform(6...14))
    let count = options.sets ?? random.integer(1...2)
    for index in 0..<count {
      performSet()
      let last = index == count - 1
      rest(
        seconds: last
          ? random.uniform(7...14) : options.restSeconds ?? random.uniform(20...45))
    }
    track.hold(0.5)
    track.finish()
  }

  /// Returns a posture with the body's current heading.
  func here(_ posture: Posture) -> Posture {
    posture.with(.heading, posture[.heading] + heading)
  }

  mutating func knock(_ acceleration: Double, at time: Double) {
    let direction = Vector3(random.gaussian(), random.gaussian(), random.gaussian())
    let length = max(0.1, direction.length)
    impacts.append(
      Impact(
        time: time, acceleration: acceleration, direction: (1 / length) * direction,
        frequency: random.uniform(11...20)))
  }
}
