import Motion
import MotionSynthesis

/// Samples and sets that several tests use.
package enum Example {
  package static func samples(seconds: Int = 60, seed: UInt64 = 5) -> MotionBatch {
    var generator = RandomSource(seed: seed)
    let rows = 0..<50 * seconds
    return MotionBatch([
      .time: rows.map { 100 + Double($0) / 50 },
      .rotationRateX: rows.map { _ in Double.random(in: -1...1, using: &generator) },
      .gravityZ: rows.map { _ in -1 },
    ])
  }

  package static func set(
    _ cause: SetCause, _ start: Double, _ end: Double, reps: Int, confidence: Double = 0.9
  ) -> CountedSet {
    let period = (end - start) / Double(max(1, reps))
    return CountedSet(
      cause: cause, start: start, end: end,
      reps: (0..<reps).map {
        CountedRep(
          start: start + Double($0) * period, end: start + Double($0 + 1) * period,
          confidence: 0.95)
      }, confidence: confidence)
  }

  package static let twoSets = [
    set(.detected, 110, 125, reps: 8), set(.detected, 140, 150, reps: 5),
  ]
}
