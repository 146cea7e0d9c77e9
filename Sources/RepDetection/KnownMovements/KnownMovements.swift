import Motion

/// Which exercise a set probably was, of those that are known of the person.
public struct ExerciseCandidate: Sendable, Hashable {
  /// The exercise's id, or else its name.
  public var exercise: String
  /// For people.
  public var name: String
  /// The probability that it was this exercise.
  public var probability: Double
  /// The probability that it was none of those that are known.
  public var noneProbability: Double

  /// Whether it was rather this exercise than none that is known.
  public var isKnown: Bool { probability > noneProbability }
}

/// What is known of how a person moves, by exercise.
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

  /// What each movement looked like when it was done last, for ``SetHints/patterns``.
  ///
  /// - Parameter span: seconds since 1970 of what is to be counted: it says nothing of itself.
  public func patterns(exceptFrom span: ClosedRange<Double>? = nil) -> [MovementPattern] {
    movements.compactMap { movement in
      movement.examples.first { example in
        guard let span, let time = example.unixTime else { return true }
        return !span.contains(time)
      }?.pattern
    }
  }

  /// The exercise that a set's movement resembles most; nil where none is known.
  ///
  /// Each example counts by how alike it is and how long ago it was; the sum over an exercise's examples
  /// against that of all, and of none, is its probability. O(examples).
  ///
  /// - Parameter unixTime: when the set was done, seconds since 1970. Without it age does not count.
  public func candidate(
    for pattern: MovementPattern, unixTime: Double? = nil
  ) -> ExerciseCandidate? {
    let shape = MovementShape(pattern)
    let support = movements.indices.map { index in
      zip(movements[index].examples, shapes[index]).reduce(0.0) { sum, example in
        let seconds = unixTime.flatMap { now in example.0.unixTime.map { abs(now - $0) } } ?? 0
        return sum
          + weights.support(
            distance: shape.distance(to: example.1, weights),
            ageDays: seconds / Self.secondsPerDay)
      }
    }
    guard let best = support.indices.max(by: { support[$0] < support[$1] }) else { return nil }
    let total = support.reduce(weights.none, +)
    return ExerciseCandidate(
      exercise: movements[best].exercise, name: movements[best].name,
      probability: support[best] / total, noneProbability: weights.none / total)
  }

  /// The exercise that a counted set resembles most; nil where none is known, or the set has fewer than
  /// two reps.
  ///
  /// - Parameter samples: that the set was counted in, in any units. The cost is linear in their number.
  public func candidate(
    for set: CountedSet, in samples: MotionBatch, unixTime: Double? = nil
  ) -> ExerciseCandidate? {
    guard !isEmpty, let pattern = Self.pattern(of: set, in: samples) else { return nil }
    return candidate(for: pattern, unixTime: unixTime)
  }

  /// The mean rep of a set (``RepDetector/pattern(of:in:configuration:)``) in Core Motion's convention,
  /// in which gravity points down. Sources in m/s² let it point up, as Android does.
  public static func pattern(of set: CountedSet, in samples: MotionBatch) -> MovementPattern? {
    guard let pattern = RepDetector.pattern(of: set, in: samples) else { return nil }
    let unit =
      samples.has(.gravityX) ? samples.units.gravity : samples.units.totalAcceleration
    return unit == .g ? pattern : pattern.withGravityReversed
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
