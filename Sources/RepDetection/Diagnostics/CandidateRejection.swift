/// A movement that the detector looked at and did not count, with the number that decided and the
/// threshold that it missed.
public struct CandidateRejection: Sendable, Hashable {
  public enum Subject: String, Sendable, Hashable, Codable {
    /// Similar movements in a row, while looking for sets.
    case row
    /// The first or last movement of a set, or next to a long pause in it.
    case edge
    /// A row of reps that was settled and is no set.
    case set
    /// Another way to read a set that was counted, with another count.
    case reading
  }

  /// What decided. The threshold is named as in ``DetectorConfiguration``.
  public enum Reason: Sendable, Hashable {
    /// `chainReps`, or the caller's `minimumReps`.
    case tooFewReps(count: Int, needed: Int)
    /// `chainSeconds`.
    case tooShort(seconds: Double, needed: Double)
    /// `shortestSetPeriodSeconds`: trembling.
    case tooFast(periodSeconds: Double, needed: Double)
    /// Similarity of the reps to each other, on average: `chainMeanSimilarity`, `setSimilarity`,
    /// `fastSetSimilarity`, or `unknownSetSimilarity` where another movement is known. Of an edge:
    /// its own, against `edgeSimilarity` times the median.
    case unlike(similarity: Double, needed: Double)
    /// In shares: of a row its activity (`chainActivity`), of an edge its energy against the
    /// median (`edgeEnergy`).
    case tooWeak(share: Double, needed: Double)
    /// Of a reading with this count: its score as a share of the best, against `scoreTolerance`.
    case worseFit(count: Int, share: Double, needed: Double)
    /// Of a reading with this count: how much the wrist moves at its boundaries, in shares of the
    /// mean motion, against the stillest reading's and `boundaryMotionTolerance`.
    case restless(count: Int, motion: Double, allowed: Double)
    /// Of a reading that passes both: it has fewer reps than the one chosen.
    case fewerReps(count: Int, chosen: Int)
  }

  public var subject: Subject
  public var reason: Reason
  /// Seconds on the samples' clock.
  public var start: Double
  public var end: Double
  /// Seconds that a typical movement of it takes.
  public var periodSeconds: Double

  public init(
    subject: Subject, reason: Reason, start: Double, end: Double, periodSeconds: Double
  ) {
    self.subject = subject
    self.reason = reason
    self.start = start
    self.end = end
    self.periodSeconds = periodSeconds
  }
}

extension CandidateRejection: CustomStringConvertible {
  /// The reason in words, with both numbers.
  public var description: String {
    func text(_ value: Double, _ decimals: Int = 2) -> String {
      let scale = decimals == 1 ? 10 : 100
      let whole = Math.integer(
        (value.magnitude * Double(scale)).rounded(), clampedTo: 0...1_000_000_000)
      let digits = String(whole % scale)
      let padded = String(repeating: "0", count: decimals - digits.count) + digits
      return (value < 0 && whole > 0 ? "-" : "") + "\(whole / scale).\(padded)"
    }
    switch reason {
    case .tooFewReps(let count, let needed):
      return "\(count) similar movement\(count == 1 ? "" : "s") in a row, needed \(needed)"
    case .tooShort(let seconds, let needed):
      return "\(text(seconds, 1)) s in all, needed \(text(needed, 1)) s"
    case .tooFast(let period, let needed):
      return "\(text(period)) s each, a set's reps take at least \(text(needed)) s"
    case .unlike(let similarity, let needed):
      return subject == .edge
        ? "similarity \(text(similarity)) to the set's reps, needed \(text(needed))"
        : "similarity of the movements \(text(similarity)), needed \(text(needed))"
    case .tooWeak(let share, let needed):
      return subject == .edge
        ? "energy \(text(share)) of a usual rep's, needed \(text(needed))"
        : "activity \(text(share)) of a usual exercise's, needed \(text(needed))"
    case .worseFit(let count, let share, let needed):
      return "reading with \(count) reps: fits \(text(share)) as well as the best, needed "
        + text(needed)
    case .restless(let count, let motion, let allowed):
      return "reading with \(count) reps: the wrist moves \(text(motion)) of its mean motion where "
        + "reps meet, allowed \(text(allowed))"
    case .fewerReps(let count, let chosen):
      return "reading with \(count) reps: as good as the one with \(chosen), which has more"
    }
  }
}
