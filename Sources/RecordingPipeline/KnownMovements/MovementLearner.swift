import ChunkDecoding
import Motion
import MovementAnalysis
import RepDetection
import TimelineFormat
import WorkoutHistory

/// Learns how a person moves from the sets in their history.
///
/// The result depends only on the history's content: the newest suitable sets of each exercise, with their
/// current counts and corrections. Stored examples are a cache that avoids analyzing a set twice. Examples
/// of deleted or corrected sets are dropped.
public struct MovementLearner: Sendable {
  /// Minimum confidence of an unconfirmed count.
  private static let leastConfidence = 0.5
  /// Minimum number of reps in an example.
  private static let leastReps = 3
  /// Maximum number of sets considered, newest first: a year or more of training.
  private static let newestSets = 5_000

  public init() {}

  /// Updates a person's known movements. Reads the timeline of each new set.
  ///
  /// - Parameters:
  ///   - store: The history, opened for writing: the result is stored in it.
  ///   - fromScratch: Ignores the stored examples.
  /// - Throws: `HistoryError` if the store cannot be read or written. Sets with damaged timelines are
  ///   skipped.
  @discardableResult
  public func learn(
    _ store: HistoryStore, user: HistoryUser.ID = .local, fromScratch: Bool = false
  ) throws -> KnownMovements {
    let stored = try store.patterns.all(of: user)
    let sets = try store.patterns.setsOfKnownExercises(user: user, limit: Self.newestSets)
    var movements: [KnownMovement] = []
    // Ids are case-insensitive.
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
    // Read the stored result back, so that it equals that of other readers to the bit.
    return try KnownMovements(store, user: user)
  }

  /// Returns whether the count is reliable: corrected by a person, or confident enough.
  private static func isGood(_ set: SetOfKnownExercise) -> Bool {
    if let corrected = set.correctedReps { return corrected >= leastReps }
    return (set.detectedReps ?? 0) >= leastReps && (set.confidence ?? 0) >= leastConfidence
  }

  /// Returns an example of the set's movement; nil if its timeline is unreadable or its count gives none.
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

  /// Returns a hash of a set's id, current count and correction.
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
  /// Reads a person's known movements from a history (``MovementLearner``).
  public init(_ store: HistoryStore, user: HistoryUser.ID = .local) throws {
    self.init(
      try store.patterns.all(of: user).sorted { $0.key < $1.key }
        .compactMap { $0.value.movement($0.key) })
  }
}

extension MovementCache {
  package convenience init(_ store: HistoryStore) {
    self.init { person in
      let user = person.isEmpty ? nil : try? store.users.user(HistoryUser.Key(person))
      guard let id = person.isEmpty ? HistoryUser.ID.local : user?.id else { return nil }
      let movements = try? KnownMovements(store, user: id)
      return movements?.isEmpty == false ? movements : nil
    }
  }
}

extension StoredPattern {
  /// Returns the known movement; nil if another format version wrote the pattern.
  fileprivate func movement(_ exercise: String) -> KnownMovement? {
    version == KnownMovement.formatVersion
      ? KnownMovement(exercise: exercise, bytes: data) : nil
  }
}
