/// Contents of a synthetic recording. Values left nil are drawn from the seed.
package struct SynthesisOptions: Sendable, Hashable {
  /// Equal seeds and options give equal bytes on every platform.
  package var seed: UInt64
  /// The recording's name; nil for a name derived from the family and the seed.
  package var name: String?
  package var exercise: ExerciseFamily?
  package var difficulty: Difficulty
  /// Number of sets, 1 to 20; nil for 1 or 2.
  package var sets: Int?
  /// Full reps per set, 1 to 100; nil for 5 to 15.
  package var reps: Int?
  /// Tempo; nil for a random one near the family's usual tempo.
  package var tempo: Tempo?
  package var setStyle: SetStyle?
  /// Loss of speed from the first to the last reps, 0 to 0.6, without the variation between reps that
  /// ``TrueSet/velocityLossPercent`` includes; nil for a random one.
  package var velocityLoss: Double?
  /// Number of movements per set that begin like a rep but cover less than half its range, 0 to 10.
  package var partialReps: Int?
  /// Rest between sets in seconds, 5 to 600; nil for 20 to 45.
  package var restSeconds: Double?
  package var rate: SamplingRate
  package var faults: Set<SignalFault>
  /// True to record the magnetic field too.
  package var magneticField: Bool

  package init(
    seed: UInt64, name: String? = nil, exercise: ExerciseFamily? = nil,
    difficulty: Difficulty = .ordinary, sets: Int? = nil, reps: Int? = nil, tempo: Tempo? = nil,
    setStyle: SetStyle? = nil, velocityLoss: Double? = nil, partialReps: Int? = nil,
    restSeconds: Double? = nil, rate: SamplingRate = .watch, faults: Set<SignalFault> = [],
    magneticField: Bool = false
  ) {
    self.seed = seed
    self.name = name
    self.exercise = exercise
    self.difficulty = difficulty
    self.sets = sets
    self.reps = reps
    self.tempo = tempo
    self.setStyle = setStyle
    self.velocityLoss = velocityLoss
    self.partialReps = partialReps
    self.restSeconds = restSeconds
    self.rate = rate
    self.faults = faults
    self.magneticField = magneticField
  }

  /// Throws if a value is outside its documented range.
  package func validate() throws(SynthesisError) {
    try Self.check("sets", sets.map(Double.init), 1...20)
    try Self.check("reps", reps.map(Double.init), 1...100)
    try Self.check("velocityLoss", velocityLoss, 0...0.6)
    try Self.check("partialReps", partialReps.map(Double.init), 0...10)
    try Self.check("rest", restSeconds, 5...600)
    try Self.check("tempo.concentric", tempo?.concentric, 0.15...8)
    try Self.check("tempo.eccentric", tempo?.eccentric, 0.15...8)
    try Self.check("tempo.contractedPause", tempo?.contractedPause, 0...8)
    try Self.check("tempo.stretchedPause", tempo?.stretchedPause, 0...8)
    switch rate {
    case .constant(let hertz): try Self.check("rate", hertz, 5...400)
    case .phased(let execution, let rest):
      try Self.check("rate.execution", execution, 5...400)
      try Self.check("rate.rest", rest, 5...400)
    }
  }

  private static func check(
    _ option: String, _ value: Double?, _ range: ClosedRange<Double>
  ) throws(SynthesisError) {
    guard let value else { return }
    guard range.contains(value) else {
      throw .outOfRange(option: option, value: value, allowed: range)
    }
  }
}
