/// Prior knowledge of how an exercise is done.
///
/// The period ranges are intentionally wide. They follow from how far and how fast body parts move: jumping
/// and swinging follow the body's natural rhythm of about a second; a limb with a weight moves at a speed
/// that the lifter chooses; the whole trunk is slow.
public struct ExercisePrior: Sendable, Hashable, Codable {
  public var name: String
  /// Duration of a rep including the pause after it, in seconds.
  public var periodSeconds: ClosedRange<Double>
  /// True if both sides alternate, so that one cycle of the wrist may contain two reps.
  public var isAlternating: Bool

  public init(
    name: String, periodSeconds: ClosedRange<Double>, isAlternating: Bool = false
  ) {
    self.name = name
    self.periodSeconds = periodSeconds
    self.isAlternating = isAlternating
  }

  /// The known priors, looked up in order: the first whose name is part of the exercise's name applies.
  public static let known: [ExercisePrior] = [
    ExercisePrior(name: "jumping jack", periodSeconds: 0.5...2),
    ExercisePrior(name: "skipping", periodSeconds: 0.35...1.2),
    ExercisePrior(
      name: "lunge", periodSeconds: 0.8...7, isAlternating: true),
    ExercisePrior(name: "pull up", periodSeconds: 0.8...8),
    ExercisePrior(name: "pulldown", periodSeconds: 0.8...8),
    ExercisePrior(name: "push up", periodSeconds: 0.6...6),
    ExercisePrior(name: "crunch", periodSeconds: 0.7...6),
    ExercisePrior(name: "squat", periodSeconds: 0.8...8),
    ExercisePrior(name: "deadlift", periodSeconds: 0.8...9),
    ExercisePrior(name: "bench press", periodSeconds: 0.7...8),
    ExercisePrior(name: "overhead press", periodSeconds: 0.8...8),
    ExercisePrior(name: "lateral raise", periodSeconds: 0.8...8),
    ExercisePrior(name: "curl", periodSeconds: 0.7...9),
    ExercisePrior(name: "row", periodSeconds: 0.7...8),
  ]

  /// Returns the prior for an exercise's name in any spelling: `Pull-up`, `pullUp`, `PULLUPS`. A name that
  /// contains "alternat" makes the prior alternating.
  public static func named(_ name: String) -> ExercisePrior? {
    let letters = letters(name)
    guard var prior = known.first(where: { letters.holds(Self.letters($0.name)) }) else {
      return nil
    }
    if letters.holds("alternat") { prior.isAlternating = true }
    return prior
  }

  private static func letters(_ text: String) -> String {
    String(text.lowercased().filter { $0.isLetter })
  }
}

extension String {
  /// Returns true if the text contains another text. (Embedded Swift has no `contains` for strings.)
  fileprivate func holds(_ part: String) -> Bool {
    indices.contains { self[$0...].hasPrefix(part) }
  }
}
