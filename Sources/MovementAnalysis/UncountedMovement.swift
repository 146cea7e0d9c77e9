import Motion
import RepDetection
import SignalProcessing

/// A movement that was not counted as a rep, with the reason.
public struct UncountedMovement: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Resembles a rep and falls short of it.
    case partial
    /// Between or beside the reps of a set.
    case besideReps
    /// Away from any set.
    case elsewhere
  }

  public enum Reason: Sendable, Hashable {
    /// Fails a test for reps: fraction of the usual range, duration, or similarity.
    case tooSmall(share: Double)
    case tooShort(seconds: Double, usual: Double)
    case tooLong(seconds: Double, usual: Double)
    case unlike(similarity: Double, needed: Double)
    /// Passes all of these tests, but the best segmentation of the set does without it.
    case worseFit(similarity: Double)
    /// Not one of three similar movements in a row, as far as is known.
    case noRun
    /// The result of the detector's search.
    case search(CandidateRejection)
  }

  /// In seconds on the samples' clock.
  public var start: Double
  public var end: Double
  public var kind: Kind
  public var reason: Reason
  /// Index of the set that contains it or lies beside it; nil for ``Kind/elsewhere``.
  public var set: Int?

  /// The reason, without figures.
  public var words: String {
    switch reason {
    case .tooSmall: "too small for a rep of this set"
    case .tooShort: "too short for a rep of this set"
    case .tooLong: "too long for one rep of this set"
    case .unlike: "another movement than this set's reps"
    case .worseFit: "much like the set's reps, but the set as a whole fits better without it"
    case .noRun: "no set, since no three similar movements follow each other"
    case .search(let rejection):
      (rejection.subject == .declaredSet ? "no rep, since " : "no set, since ")
        + rejection.reason.words
    }
  }

  /// The reason, with the decisive figures.
  public var explanation: String {
    switch reason {
    case .tooSmall(let share):
      "too small: \(Self.percent(share)) of the usual movement of this set's reps"
    case .tooShort(let seconds, let usual):
      "too short: \(Self.tenths(seconds)) s, reps of this set take \(Self.tenths(usual)) s"
    case .tooLong(let seconds, let usual):
      "too long: \(Self.tenths(seconds)) s, reps of this set take \(Self.tenths(usual)) s"
    case .unlike(let similarity, let needed):
      "unlike the set's reps: similarity \(Self.hundredths(similarity)), needed "
        + Self.hundredths(needed)
    case .worseFit(let similarity):
      "like the set's reps (similarity \(Self.hundredths(similarity))), but the set as a whole "
        + "fits better without it"
    case .noRun: "no set: not three movements alike in a row"
    case .search(let rejection):
      (rejection.subject == .declaredSet ? "no rep: " : "no set: ") + rejection.description
    }
  }

  private static func percent(_ share: Double) -> String {
    "\(Math.integer((share * 100).rounded(), clampedTo: 0...1000)) %"
  }

  private static func tenths(_ value: Double) -> String { decimal(value, 10) }

  private static func hundredths(_ value: Double) -> String { decimal(value, 100) }

  private static func decimal(_ value: Double, _ scale: Int) -> String {
    let whole = Math.integer((value * Double(scale)).rounded(), clampedTo: 0...1_000_000_000)
    let digits = String(whole % scale)
    let width = scale == 10 ? 1 : 2
    return "\(whole / scale)." + String(repeating: "0", count: width - digits.count) + digits
  }
}
