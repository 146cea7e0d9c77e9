import Motion

/// One person, script and motion.
struct Scene: Sendable {
  let options: SynthesisOptions
  let family: ExerciseFamily
  let script: RecordingScript
  let motion: WristMotion
  /// The samples' clock at the start, in seconds since the watch booted.
  let clockOrigin: Double
  let unixOrigin: Double

  /// Streams of random numbers, one per purpose, so that one choice does not change the others.
  private enum Stream: UInt64 {
    case person, exercise, script, motion, sensor, clock, faults, identity
  }

  init(options: SynthesisOptions) {
    self.options = options
    func source(_ stream: Stream) -> RandomSource {
      RandomSource(seed: options.seed, stream: stream.rawValue)
    }
    var person = source(.person)
    let arm = ArmModel(random: &person)
    var choice = source(.exercise)
    let drawn = choice.element(of: ExerciseFamily.allCases) ?? .curl
    family = options.exercise ?? drawn
    let movement = ExerciseMovement(
      family: family, tempo: options.tempo, difficulty: options.difficulty, random: &choice)
    script = RecordingScript(options: options, movement: movement, random: source(.script))
    var disturbance = source(.motion)
    motion = WristMotion(script: script, arm: arm, random: &disturbance)
    var clock = source(.clock)
    clockOrigin = Double(clock.integer(10_000...400_000)) + clock.unit()
    // A random day in 2024 or 2025.
    unixOrigin = Double(clock.integer(1_704_067_200...1_767_225_600)) + clock.unit()
  }

  func record() -> SyntheticRecording {
    let truth = trueSets()
    let instants = samplingInstants()
    var sensor = WatchSensor(
      random: RandomSource(seed: options.seed, stream: Stream.sensor.rawValue))
    var columns = [[Double]](repeating: [], count: 16)
    for index in columns.indices { columns[index].reserveCapacity(instants.count) }
    var progress: [Double] = []
    progress.reserveCapacity(instants.count)
    var cursor = 0
    for instant in instants {
      let kinematics = motion.kinematics(at: instant.time, detail: .full, cursor: &cursor)
      let reading = sensor.read(kinematics, at: instant.time)
      let values: [Double] = [
        instant.stamp, reading.userAcceleration.x, reading.userAcceleration.y,
        reading.userAcceleration.z, reading.rotationRate.x, reading.rotationRate.y,
        reading.rotationRate.z, reading.gravity.x, reading.gravity.y, reading.gravity.z,
        reading.roll, reading.pitch, reading.yaw, reading.magneticField.x,
        reading.magneticField.y, reading.magneticField.z,
      ]
      for (index, value) in values.enumerated() { columns[index].append(value) }
      progress.append(self.progress(at: instant.time, cursor: &cursor))
    }
    if !options.magneticField { columns.removeLast(3) }
    var named: [MotionChannel: [Double]] = [:]
    for (index, column) in columns.enumerated() {
      if let channel = MotionChannel(rawValue: UInt8(index)) { named[channel] = column }
    }
    let name = options.name ?? "\(family.rawValue)-\(options.seed)"
    let first = instants.first?.stamp ?? clockOrigin
    let recording = Recording(
      name: name, identity: sessionIdentity, samples: MotionBatch(named),
      phases: Self.phases(of: instants), unixTimeOfFirstSample: unixOrigin + (first - clockOrigin))
    return SyntheticRecording(
      name: name, options: options, exercise: family, recording: recording, truth: truth,
      progress: progress)
  }

  // MARK: Sampling

  struct Instant: Sendable {
    /// In seconds since the start of the recording.
    var time: Double
    /// Time on the samples' clock.
    var stamp: Double
    var isExecution: Bool
  }

  func samplingInstants() -> [Instant] {
    var random = RandomSource(seed: options.seed, stream: Stream.faults.rawValue)
    let deviation = options.faults.contains(.jitter) ? random.uniform(0.001...0.003) : 0.000_08
    let gaps = options.faults.contains(.dropouts) ? dropouts(random: &random) : []
    var instants: [Instant] = []
    var nominal = 0.02
    var lastTick = -Double.infinity
    while nominal < motion.track.end - 0.02 {
      let isExecution = script.sets.contains {
        $0.executionStart <= nominal && nominal < $0.executionEnd
      }
      let hertz: Double
      switch options.rate {
      case .constant(let rate): hertz = rate
      case .phased(let execution, let rest): hertz = isExecution ? execution : rest
      }
      let shift = min(0.4 / hertz, max(-0.4 / hertz, deviation * random.gaussian()))
      // The clock ticks 24 million times per second.
      let tick = ((clockOrigin + nominal + shift) * 24e6).rounded()
      let stamp = tick / 24e6
      if tick > lastTick && !gaps.contains(where: { $0.contains(nominal) }) {
        lastTick = tick
        instants.append(Instant(time: stamp - clockOrigin, stamp: stamp, isExecution: isExecution))
      }
      nominal += 1 / hertz
    }
    return instants
  }

  private func dropouts(random: inout RandomSource) -> [ClosedRange<Double>] {
    let count = max(1, Int((motion.track.end / 30).rounded()))
    return (0..<count).map { _ in
      let start = random.uniform(1...max(2, motion.track.end - 2))
      return start...(start + random.uniform(0.2...1.2))
    }
  }

  private static func phases(of instants: [Instant]) -> [PhaseSpan] {
    var spans: [PhaseSpan] = []
    var start = 0
    for index in instants.indices {
      let isLast = index == instants.count - 1
      if isLast || instants[index + 1].isExecution != instants[index].isExecution {
        spans.append(
          PhaseSpan(
            rows: start..<(index + 1), phase: instants[index].isExecution ? .execution : .rest))
        start = index + 1
      }
    }
    return spans
  }

  // MARK: Identity

  private var sessionIdentity: SetIdentity {
    SetIdentity(sessionId: uuid(0), exerciseId: uuid(1))
  }

  func identity(ofSet index: Int) -> SetIdentity {
    SetIdentity(sessionId: uuid(0), exerciseId: uuid(1), setId: uuid(2 + UInt64(index)))
  }

  /// Returns a random (version 4) UUID that depends only on the seed.
  private func uuid(_ index: UInt64) -> String {
    var random = RandomSource(
      seed: RandomSource.derivedSeed(options.seed, Stream.identity.rawValue), stream: index)
    let high = (random.next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = (random.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    let digits = Array("0123456789ABCDEF")
    var text = ""
    for position in 0..<32 {
      if [8, 12, 16, 20].contains(position) { text.append("-") }
      let word = position < 16 ? high : low
      text.append(digits[Int((word >> (60 - 4 * UInt64(position % 16))) & 15)])
    }
    return text
  }
}
