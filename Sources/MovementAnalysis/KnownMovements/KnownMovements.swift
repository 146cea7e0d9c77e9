import Motion
import RepDetection

/// The most probable exercise of a set among the person's known ones.
public struct ExerciseCandidate: Sendable, Hashable {
  /// The exercise's id, or else its name.
  public var exercise: String
  public var name: String
  /// Probability that the set was this exercise.
  public var probability: Double
  /// Probability that the set was none of the known exercises.
  public var noneProbability: Double

  /// True if this exercise is more probable than an unknown one.
  public var isKnown: Bool { probability > noneProbability }
}

/// A person's known movements, by exercise.
public struct KnownMovements: Sendable {
  public let movements: [KnownMovement]
  private let shapes: [[MovementShape]]
  private let weights = RecognitionWeights.fitted

  private static let secondsPerDay = 86_400.0

  public init(_ movements: [KnownMovement]) {
    self.movements = movements.filter { !$0.examples.isEmpty }
    shapes = self.movements.map { $0.examples.map { MovementShape($0.pattern) } }
  }

  public var isEmpty: Bool { movements.isEmpty }

  /// Returns the latest example of each movement, for ``SetHints/patterns``.
  ///
  /// - Parameters:
  ///   - span: Time span of the signal to count, in seconds since 1970. Examples from within it are skipped,
  ///     because a set is no evidence for itself.
  ///   - samples: The samples to count, which determine the patterns' direction of gravity. If `span` is nil,
  ///     undated examples are skipped, because they may come from these samples.
  public func patterns(
    exceptFrom span: ClosedRange<Double>? = nil, for samples: MotionBatch? = nil
  ) -> [MovementPattern] {
    let pointsUp = samples.map(Self.gravityPointsUp) ?? false
    return movements.compactMap { movement in
      let pattern = movement.examples.first { example in
        guard let time = example.unixTime else { return samples == nil || span != nil }
        return span?.contains(time) != true
      }?.pattern
      return pointsUp ? pattern?.withGravityReversed : pattern
    }
  }

  /// Returns the exercise that a set's movement resembles most; nil if none is known.
  ///
  /// Similarity alone decides whether the exercise is a known one. Which one it is depends also on the
  /// examples' age, relative to the example nearest in time. O(examples).
  ///
  /// - Parameter unixTime: Time of the set, in seconds since 1970. If nil, age is ignored.
  public func candidate(
    for pattern: MovementPattern, unixTime: Double? = nil
  ) -> ExerciseCandidate? {
    let shape = MovementShape(pattern)
    let ages = movements.map { movement in
      movement.examples.map { example -> Double? in
        guard let unixTime, let time = example.unixTime else { return nil }
        return abs(unixTime - time) / Self.secondsPerDay
      }
    }
    let knownAges = ages.joined().compactMap { $0 }
    // Undated examples count as the oldest.
    let (least, most) = (knownAges.min() ?? 0, knownAges.max() ?? 0)
    var total = 0.0
    let support = movements.indices.map { index in
      zip(shapes[index], ages[index]).reduce(0.0) { sum, example in
        let similarity = weights.similarity(atDistance: shape.distance(to: example.0, weights))
        total += similarity
        return sum + similarity * weights.recency(ageDays: (example.1 ?? most) - least)
      }
    }
    guard let best = support.indices.max(by: { support[$0] < support[$1] }) else { return nil }
    let none = weights.none / (total + weights.none)
    let sum = support.reduce(0, +)
    return ExerciseCandidate(
      exercise: movements[best].exercise, name: movements[best].name,
      probability: sum > 0 ? support[best] / sum * (1 - none) : 0, noneProbability: none)
  }

  /// Returns the exercise that a counted set resembles most; nil if none is known or the set has fewer than
  /// two reps. O(samples).
  ///
  /// - Parameter samples: The samples that the set was counted in, in any units.
  public func candidate(
    for set: CountedSet, in samples: MotionBatch, unixTime: Double? = nil
  ) -> ExerciseCandidate? {
    guard !isEmpty, let pattern = Self.pattern(of: set, in: samples) else { return nil }
    return candidate(for: pattern, unixTime: unixTime)
  }

  /// Returns the mean rep of a set (``RepDetector/pattern(of:in:configuration:)``) in Core Motion's
  /// convention, in which gravity points down. In sources in m/s², such as Android's, it points up.
  public static func pattern(of set: CountedSet, in samples: MotionBatch) -> MovementPattern? {
    let pattern = RepDetector.pattern(of: set, in: samples)
    return gravityPointsUp(in: samples) ? pattern?.withGravityReversed : pattern
  }

  private static func gravityPointsUp(in samples: MotionBatch) -> Bool {
    (samples.has(.gravityX) ? samples.units.gravity : samples.units.totalAcceleration) != .g
  }
}

extension MovementPattern {
  fileprivate var withGravityReversed: MovementPattern? {
    MovementPattern(
      phases: phases.map {
        Phase(
          gravity: -$0.gravity, rotation: $0.rotation, userAcceleration: -$0.userAcceleration)
      }, durationSeconds: durationSeconds, similarity: similarity, repCount: repCount)
  }
}
