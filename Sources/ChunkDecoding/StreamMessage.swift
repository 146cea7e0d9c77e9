import Motion

/// One message of a stream or file.
public enum StreamMessage: Sendable {
  case chunk(DecodedChunk)
  case control(ControlMessage)
  case health(HealthMessage)
}

/// What the app tells about the workout besides samples.
public struct ControlMessage: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case startWorkout, endWorkout, startExercise, endExercise, startSet, endSet, updatePhase
    /// A person says what a set's count was, while it is under way or afterwards.
    case correctSet
    case phaseChangeDetected = "phase_change_detected"
  }

  public var kind: Kind
  public var identity: SetIdentity
  /// The phase that begins, for `updatePhase` and `phase_change_detected`, or that holds.
  public var phase: WorkoutPhase?
  /// The phase that ends.
  public var fromPhase: WorkoutPhase?
  /// Seconds since 1970, where the message gives a date.
  public var unixTime: Double?
  /// The message's time where it is no date: seconds on the device's clock.
  public var deviceTime: Double?
  public var metadata: ChunkMetadata
  public var details = WorkoutDetails()
  /// The message's id, if the sender gave one.
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

/// What an app tells of a workout that the signal does not.
public struct WorkoutDetails: Sendable, Hashable {
  /// Whose workout it is.
  public var userId: String?
  public var exerciseName: String?
  public var targetReps: Int?
  /// What a person says was done.
  public var reps: Int?
  /// Kilograms.
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

/// A reading of heart rate and energy with the set that it belongs to.
public struct HealthMessage: Sendable, Hashable {
  public var identity: SetIdentity
  public var phase: WorkoutPhase?
  public var reading: HealthReading
  /// The message's id, if the sender gave one.
  public var messageId: String?

  package init(identity: SetIdentity, phase: WorkoutPhase?, reading: HealthReading) {
    self.identity = identity
    self.phase = phase
    self.reading = reading
  }
}
