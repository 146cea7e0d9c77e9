import SignalProcessing
import TemplateSearch

/// Distribution of a typical rep's turning over its duration. While the wrist rests, the rep hardly
/// progresses. A rep without any turning progresses evenly.
struct MotionProfile {
  private static let parts = 16
  /// Cumulative fraction of a rep's turning, before each sixteenth of its duration and at its end.
  private let fractions: [Double]

  /// Computes the mean profile of a run of reps.
  ///
  /// - Parameters:
  ///   - reps: The reps, in frames.
  ///   - turned: Cumulative turn of the wrist before each frame, in any unit; at least two values.
  init(of reps: [Segment], turned: [Float]) {
    func turnedAt(_ frame: Double) -> Double {
      let i = Math.integer(frame.rounded(.down), clampedTo: 0...(turned.count - 2))
      let part = min(max(frame - Double(i), 0), 1)
      return Double(turned[i]) + part * Double(turned[i + 1] - turned[i])
    }
    var sums = [Double](repeating: 0, count: Self.parts + 1)
    let even = 1e-6
    for rep in reps {
      let begin = turnedAt(rep.start)
      let total = turnedAt(rep.end) - begin + even
      for k in sums.indices {
        let part = Double(k) / Double(Self.parts)
        sums[k] += (turnedAt(rep.start + rep.length * part) - begin + even * part) / total
      }
    }
    fractions = sums.map { $0 / Double(max(reps.count, 1)) }
  }

  /// Returns the fraction of a rep's motion between two frames. Time outside the rep contributes nothing.
  func fraction(from start: Double, to end: Double, of rep: Segment) -> Double {
    max(fraction(before: end, of: rep) - fraction(before: start, of: rep), 0)
  }

  private func fraction(before frame: Double, of rep: Segment) -> Double {
    let place = min(max((frame - rep.start) / max(rep.length, 1), 0), 1) * Double(Self.parts)
    let k = min(Int(place), Self.parts - 1)
    return fractions[k] + (place - Double(k)) * (fractions[k + 1] - fractions[k])
  }
}
