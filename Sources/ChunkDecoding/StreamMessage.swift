import Motion

/// A message in a stream or file.
public enum StreamMessage: Sendable {
  case chunk(DecodedChunk)
  case control(ControlMessage)
  case health(HealthMessage)
}

/// A message about the workout rather than samples.
public struct ControlMessage: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case startWorkout, endWorkout, startExercise, endExercise, startSet, endSet, updatePhase
    /// A person corrects a set's count, during the set or afterwards.
    case correctSet
    case phaseChangeDetected = "phase_change_detected"
  }

  public var kind: Kind
  public var identity: SetIdentity
  /// The phase that begins, for `updatePhase` and `phase_change_detected`; otherwise the current phase.
  public var phase: WorkoutPhase?
  /// The phase that ends.
  public var fromPhase: WorkoutPhase?
  /// The message's date, in seconds since 1970, if it has one.
  public var unixTime: Double?
  /// The message's time if it is not a date, in seconds on the device's clock.
  public var deviceTime: Double?
  public var metadata: ChunkMetadata
  public var details = WorkoutDetails()
  /// The sender's id of the message, if any.
  public var messageId: String?

  package init(
    kind: Kind, identity: SetIdentity = SetIdentity(), phase: WorkoutPhase? = nil,
    fromPhase: WorkoutPhase? = nil, unixTime: Double? = nil, deviceTime: Double? = nil,
    metadata: ChunkMetadata = ChunkMetadata()
  ) {
    self.kind = kind
    self.identity = identity
    self.phase = phase
    self.fromPhase = fromPhase
    self.unixTime = unixTime
    self.deviceTime = deviceTime
    self.metadata = metadata
  }
}

/// Facts about a workout that are not in the signal.
public struct WorkoutDetails: Sendable, Hashable {
  /// The person who trains.
  public var userId: String?
  public var exerciseName: String?
  public var targetReps: Int?
  /// The number of reps reported by a person.
  public var reps: Int?
  /// In kilograms.
  public var weight: Double?

  package init(
    userId: String? = nil, exerciseName: String? = nil, targetReps: Int? = nil, reps: Int? = nil,
    weight: Double? = nil
  ) {
    self.userId = userId
    self.exerciseName = exerciseName
    self.targetReps = targetReps
    self.reps = reps
    self.weight = weight
  }
}

/// A reading of heart rate and energy, with the set that it belongs to.
public struct HealthMessage: Sendable, Hashable {
  public var identity: SetIdentity
  public var phase: WorkoutPhase?
  public var reading: HealthReading
  /// The sender's id of the message, if any.
  public var messageId: String?

  package init(identity: SetIdentity, phase: WorkoutPhase?, reading: HealthReading) {
    self.identity = identity
    self.phase = phase
    self.reading = reading
  }
}
