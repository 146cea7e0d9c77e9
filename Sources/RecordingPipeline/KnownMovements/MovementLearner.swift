import ChunkDecoding
import Motion
import RepDetection
import TimelineFormat
import WorkoutHistory

/// Learns how a person moves from the sets that a history holds of them.
///
/// What is learned depends on the history's content alone: on the newest sets of each exercise that are
/// good to learn from, as they are counted and corrected now. What was learned before only saves looking
/// at a set twice. What was learned from sets that are gone, or were corrected away, is gone with them.
public struct MovementLearner: Sendable {
  /// A count that nobody confirmed must be right with this probability.
  private static let leastConfidence = 0.5
  /// Fewer reps do not show a movement.
  private static let leastReps = 3
  /// Sets that are looked at, the newest: a year or more of training.
  private static let newestSets = 5_000

  public init() {}

  /// Brings what is known of a person up to date. A set that is new costs reading its timeline.
  ///
  /// - Parameters:
  ///   - store: The history, opened for writing: what is learned is kept in it.
  ///   - fromScratch: What was learned before is not believed.
  /// - Throws: `HistoryError` where the store cannot be read or written. Sets whose timeline is damaged teach nothing.
  @discardableResult
  public func learn(
    _ store: HistoryStore, user: HistoryUser.ID = HistoryStore.localUser, fromScratch: Bool = false
  ) throws -> KnownMovements {
    let stored = try store.patterns.all(of: user)
    let sets = try store.patterns.setsOfKnownExercises(user: user, limit: Self.newestSets)
    var movements: [KnownMovement] = []
    // Ids are the same in any spelling.
    for (_, sets) in Dictionary(grouping: sets, by: { $0.exercise.uppercased() }).sorted(by: {
      $0.key < $1.key
    }) {
      let exercise = sets[0].exercise
      let before = fromScratch ? nil : stored[exercise]?.movement(exercise)
      let known = Dictionary(
        (before?.examples ?? []).map { ($0.stamp, $0) }, uniquingKeysWith: { first, _ in first })
      var examples: [KnownMovement.Example] = []
      for set in sets where examples.count < KnownMovement.capacity && Self.isGood(set) {
        if let example = try known[Self.stamp(set)] ?? Self.example(set, in: store) {
          examples.append(example)
        }
      }
      guard !examples.isEmpty else { continue }
      movements.append(
        KnownMovement(exercise: exercise, name: sets[0].exerciseName, examples: examples))
    }
    let learned = Dictionary(
      movements.map {
        ($0.exercise, StoredPattern(version: KnownMovement.formatVersion, data: $0.bytes))
      }, uniquingKeysWith: { first, _ in first })
    for exercise in Set(stored.keys).union(learned.keys).sorted()
    where stored[exercise] != learned[exercise] {
      try store.patterns.set(learned[exercise], ofExercise: exercise, user: user)
    }
    // As others read it, to the bit.
    return try KnownMovements(store, user: user)
  }

  /// Whether the count is believed: by a person, or by the machine where no person spoke.
  private static func isGood(_ set: SetOfKnownExercise) -> Bool {
    if let corrected = set.correctedReps { return corrected >= leastReps }
    return (set.detectedReps ?? 0) >= leastReps && (set.confidence ?? 0) >= leastConfidence
  }

  /// Nil where the set's timeline cannot be read, or its count does not explain itself.
  private static func example(
    _ set: SetOfKnownExercise, in store: HistoryStore
  ) throws -> KnownMovement.Example? {
    let timeline: Timeline
    do {
      timeline = try store.timeline(ofSet: set.id)
    } catch is TimelineError {
      return nil
    } catch HistoryError.notFound {
      return nil
    } catch HistoryError.damaged {
      return nil
    }
    guard
      let counted = timeline.set,
      let believed = counted.explained(byCount: set.correctedReps ?? counted.reps.count),
      let pattern = KnownMovements.pattern(of: believed, in: timeline.samples)
    else { return nil }
    return KnownMovement.Example(stamp: stamp(set), unixTime: set.startTime, pattern: pattern)
  }

  /// The same for the same set as long as it is counted and corrected as it is.
  private static func stamp(_ set: SetOfKnownExercise) -> UInt64 {
    let parts: [String] = [
      set.globalKey.rawValue, "\(set.detectedReps ?? -1)", "\(set.correctedReps ?? -1)",
      "\(set.clockStart ?? .nan)", "\(set.clockEnd ?? .nan)", "\(set.startTime ?? .nan)",
      "\(set.confidence ?? .nan)",
    ]
    return Array(parts.joined(separator: "\n").utf8).withUnsafeBytes { XXHash64.hash($0) }
  }
}

extension KnownMovements {
  /// What a history holds of how a person moves (``MovementLearner``).
  public init(_ store: HistoryStore, user: HistoryUser.ID = HistoryStore.localUser) throws {
    self.init(
      try store.patterns.all(of: user).sorted { $0.key < $1.key }
        .compactMap { $0.value.movement($0.key) })
  }
}

extension StoredPattern {
  /// Nil where another version wrote it.
  fileprivate func movement(_ exercise: String) -> KnownMovement? {
    version == KnownMovement.formatVersion
      ? KnownMovement(exercise: exercise, bytes: data) : nil
  }
}
