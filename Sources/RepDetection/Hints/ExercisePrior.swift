/// What is known of an exercise before anyone moves: not how often, but how.
///
/// The spans of periods are wide on purpose. They follow from how far and how fast the body parts
/// move: jumping and swinging have the body's own rhythm of about a second; a limb with a weight is
/// moved at a speed that its lifter chooses; the whole trunk takes its time.
public struct ExercisePrior: Sendable, Hashable {
  /// Where a watch sees most of the movement.
  public enum DominantSignal: String, Sendable, Hashable, Codable {
    /// The forearm turns.
    case rotation
    /// The forearm hardly turns and is moved up and down.
    case verticalAcceleration
  }

  public var name: String
  /// Seconds that a rep takes, pause included.
  public var periodSeconds: ClosedRange<Double>
  public var dominantSignal: DominantSignal
  /// Whether both sides take turns and move the watch, so that a cycle of the wrist holds two reps.
  public var isAlternating: Bool

  public init(
    name: String, periodSeconds: ClosedRange<Double>, dominantSignal: DominantSignal,
    isAlternating: Bool = false
  ) {
    self.name = name
    self.periodSeconds = periodSeconds
    self.dominantSignal = dominantSignal
    self.isAlternating = isAlternating
  }

  /// Looked up in order: the first whose name is part of the exercise's.
  public static let known: [ExercisePrior] = [
    ExercisePrior(name: "jumping jack", periodSeconds: 0.6...2, dominantSignal: .rotation),
    ExercisePrior(name: "skipping", periodSeconds: 0.35...1.2, dominantSignal: .rotation),
    ExercisePrior(
      name: "alternating lunge", periodSeconds: 1.2...7, dominantSignal: .verticalAcceleration,
      isAlternating: true),
    ExercisePrior(
      name: "lunge", periodSeconds: 1.2...7, dominantSignal: .verticalAcceleration,
      isAlternating: true),
    ExercisePrior(name: "pull up", periodSeconds: 1.2...8, dominantSignal: .verticalAcceleration),
    ExercisePrior(name: "pulldown", periodSeconds: 1.2...8, dominantSignal: .verticalAcceleration),
    ExercisePrior(name: "push up", periodSeconds: 0.7...6, dominantSignal: .rotation),
    ExercisePrior(name: "crunch", periodSeconds: 1...6, dominantSignal: .rotation),
    ExercisePrior(name: "squat", periodSeconds: 1.1...8, dominantSignal: .verticalAcceleration),
    ExercisePrior(
      name: "deadlift", periodSeconds: 1.3...9, dominantSignal: .verticalAcceleration),
    ExercisePrior(name: "bench press", periodSeconds: 1...8, dominantSignal: .rotation),
    ExercisePrior(
      name: "overhead press", periodSeconds: 1.2...8, dominantSignal: .verticalAcceleration),
    ExercisePrior(name: "lateral raise", periodSeconds: 1.2...8, dominantSignal: .rotation),
    ExercisePrior(name: "curl", periodSeconds: 1.2...9, dominantSignal: .rotation),
    ExercisePrior(name: "row", periodSeconds: 1...8, dominantSignal: .rotation),
  ]

  /// The prior of an exercise by its name, written as one likes: `Pull-up`, `pullUp`, `PULLUPS`.
  public static func named(_ name: String) -> ExercisePrior? {
    let letters = letters(name)
    return known.first { letters.contains(Self.letters($0.name)) }
  }

  private static func letters(_ text: String) -> String {
    String(text.lowercased().filter(\.isLetter))
  }
}
