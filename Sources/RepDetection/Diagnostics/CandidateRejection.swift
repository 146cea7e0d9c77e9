import SignalProcessing

/// A movement that the detector examined and did not count, with the decisive value and the threshold that it
/// missed.
public struct CandidateRejection: Sendable, Hashable {
  public enum Subject: String, Sendable, Hashable, Codable {
    /// A run of similar movements in the recent signal.
    case run = "row"
    /// A finalized run of reps that is not a set.
    case set
    /// Signal in which no run was found.
    case window = "stretch"
    /// A set without reps that the caller declared.
    case declaredSet
    /// A movement in a counted set, or beside it, whose extent is smaller than a rep's.
    case partial
    /// Another movement in a counted set or beside it.
    case movement
  }

  /// The test that failed. Thresholds are named as in ``DetectorConfiguration``.
  public enum Reason: Sendable, Hashable {
    /// Number of reps: `chainReps`, or the caller's `minimumReps`.
    case tooFewReps(count: Int, needed: Int)
    /// Period of the reps: the shortest that the caller's hints permit.
    case tooFast(periodSeconds: Double, needed: Double)
    /// Mean similarity of the reps to each other: `runSimilarity`.
    case unlike(similarity: Double, needed: Double)
    /// Set probability: `setProbability`.
    case unlikely(probability: Double, needed: Double)
    /// Activity as a fraction of a typical exercise's: `leastFraction`.
    case tooWeak(share: Double, needed: Double)
    /// Activity of a whole window, as a fraction of a typical exercise's: `leastFraction`. The window was not
    /// searched.
    case quiet(share: Double, needed: Double)
    /// Mean similarity of the three most similar movements, for the best boundaries between movements:
    /// `movementSimilarity`.
    case nothingAlike(similarity: Double, needed: Double)
    /// The wrist only trembles. Activity as a fraction of a typical exercise's: `leastFraction`.
    case motionless(share: Double, needed: Double)
    /// No segmentation into similar movements was found.
    case noSegmentation
    /// The arm swings at the rhythm of strides, with two steps to a swing.
    case walking(periodSeconds: Double)
    /// Turn or tilt of the wrist, as a fraction of a typical rep of the set: `leastExtent`.
    case tooSmall(share: Double, needed: Double)
    /// Probability that the movement is a rep: a count without it is more probable.
    case lessProbable(probability: Double)
  }

  public var subject: Subject
  public var reason: Reason
  /// Begin and end, in seconds on the samples' clock.
  public var start: Double
  public var end: Double
  /// Period of a typical movement, in seconds.
  public var periodSeconds: Double
}

extension CandidateRejection: CustomStringConvertible {
  /// The rejected candidate and the reason, with both numbers.
  public var description: String { consequence + ": " + reason.description }

  /// The rejected candidate and the reason, without numbers.
  public var words: String { consequence + ", since " + reason.words }

  private var consequence: String {
    switch subject {
    case .declaredSet, .movement: "no rep"
    case .partial: "partial rep"
    case .run, .set, .window: "no set"
    }
  }
}

extension CandidateRejection.Reason {
  /// The reason in words, without numbers, as the end of a sentence.
  public var words: String {
    switch self {
    case .tooFewReps(let count, let needed):
      "only \(count) similar movement\(count == 1 ? " is" : "s are") in a row, and a set has \(needed)"
    case .tooFast: "the movements follow each other faster than reps do"
    case .unlike: "the movements differ from each other more than reps do"
    case .unlikely: "the movements repeat, but not as exercises do"
    case .tooWeak: "the movements are too weak for an exercise"
    case .quiet: "the wrist hardly moves"
    case .nothingAlike: "no three movements are alike"
    case .motionless: "the wrist does nothing but tremble"
    case .noSegmentation: "no movements resemble each other"
    case .walking: "the arm swings as in walking"
    case .tooSmall: "the wrist goes less far than in the set's reps"
    case .lessProbable: "the set's count is more probable without it"
    }
  }
}

extension CandidateRejection.Reason: CustomStringConvertible {
  /// The reason in words, with both numbers.
  public var description: String {
    func text(_ value: Double) -> String {
      let hundredths = Math.integer(
        (value.magnitude * 100).rounded(), clampedTo: 0...1_000_000_000)
      let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
      return (value < 0 && hundredths > 0 ? "-" : "") + "\(whole).\(rest / 10)\(rest % 10)"
    }
    switch self {
    case .tooFewReps(let count, let needed):
      return "\(count) similar movement\(count == 1 ? "" : "s") in a row, needed \(needed)"
    case .tooFast(let period, let needed):
      return "\(text(period)) s each, a set's reps take at least \(text(needed)) s"
    case .unlike(let similarity, let needed):
      return "similarity of the movements \(text(similarity)), needed \(text(needed))"
    case .unlikely(let probability, let needed):
      return "a set with a probability of \(text(probability)), needed \(text(needed))"
    case .tooWeak(let share, let needed):
      return "activity \(text(share)) of a usual exercise's, needed \(text(needed))"
    case .quiet(let share, let needed):
      return "too quiet to be searched: activity \(text(share)) of a usual exercise's, needed "
        + text(needed)
    case .nothingAlike(let similarity, let needed):
      return "no three movements alike: similarity \(text(similarity)) at best, needed "
        + text(needed)
    case .motionless(let share, let needed):
      return "the wrist does not move: activity \(text(share)) of a usual exercise's, needed "
        + text(needed)
    case .noSegmentation:
      return "no movements that resemble each other"
    case .walking(let period):
      return "walking: the arm swings every \(text(period)) s, with two steps to each swing"
    case .tooSmall(let share, let needed):
      return
        "the wrist goes \(text(share)) times as far as in the set's reps, needed \(text(needed))"
    case .lessProbable(let probability):
      return "a probability of \(text(probability)), the set's count is more probable without it"
    }
  }
}

extension CandidateRejection.Reason {
  /// Name of the test that failed, for scripts.
  public var name: String {
    switch self {
    case .tooFewReps: "tooFewReps"
    case .tooFast: "tooFast"
    case .unlike: "unlike"
    case .unlikely: "unlikely"
    case .tooWeak: "tooWeak"
    case .quiet: "quiet"
    case .nothingAlike: "nothingAlike"
    case .motionless: "motionless"
    case .noSegmentation: "noReading"
    case .walking: "walking"
    case .tooSmall: "tooSmall"
    case .lessProbable: "lessProbable"
    }
  }

  /// The measured value and its threshold; nil if the decision was not numeric.
  public var figures: (value: Double, needed: Double)? {
    switch self {
    case .tooFewReps(let count, let needed): (Double(count), Double(needed))
    case .tooFast(let value, let needed),
      .unlike(let value, let needed), .unlikely(let value, let needed),
      .tooWeak(let value, let needed),
      .quiet(let value, let needed), .nothingAlike(let value, let needed),
      .motionless(let value, let needed), .tooSmall(let value, let needed):
      (value, needed)
    case .walking, .noSegmentation, .lessProbable: nil
    }
  }
}
