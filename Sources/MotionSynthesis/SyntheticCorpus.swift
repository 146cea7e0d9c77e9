/// A collection of recordings from one seed: all families, rates, faults and difficulties.
///
/// Each recording's seed depends only on the corpus's seed and the recording's index, so recordings can be
/// made independently, in any order and in parallel.
package struct SyntheticCorpus: Sendable, RandomAccessCollection {
  package let seed: UInt64
  package let count: Int
  /// Fraction of recordings with ordinary execution, 0 to 1.
  package let ordinaryPart: Double
  /// The family of all recordings if not nil; likewise for difficulty, rate and faults below.
  package var exercise: ExerciseFamily?
  package var difficulty: Difficulty?
  package var rate: SamplingRate?
  package var faults: Set<SignalFault>?

  package init(seed: UInt64, count: Int, ordinaryPart: Double = 0.6) {
    self.seed = seed
    self.count = Swift.max(0, count)
    self.ordinaryPart = ordinaryPart
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// Returns the options of the recording at an index. Families take turns; everything else is drawn.
  package subscript(index: Int) -> SynthesisOptions {
    let own = RandomSource.derivedSeed(seed, UInt64(truncatingIfNeeded: index))
    var random = RandomSource(seed: own, stream: 2000)
    let families = ExerciseFamily.allCases
    let turn = ((index % families.count) + families.count) % families.count
    let ordinary = random.chance(ordinaryPart)
    let rates: [SamplingRate] = [
      .watch, .watch, .watch, .constant(50), .constant(50), .constant(100), .constant(25),
      .constant(20), .constant(12.5),
    ]
    let drawnRate = random.element(of: rates) ?? .watch
    var drawnFaults: Set<SignalFault> = []
    if random.chance(0.3) { drawnFaults.insert(.jitter) }
    if random.chance(0.12) { drawnFaults.insert(.dropouts) }
    if random.chance(0.1) { drawnFaults.insert(.repeatedRows) }
    let family = exercise ?? families[turn]
    let style = difficulty ?? (ordinary ? .ordinary : .hard)
    let number = String(index)
    let digits = String(repeating: "0", count: Swift.max(0, 5 - number.count)) + number
    return SynthesisOptions(
      seed: own, name: "\(digits)-\(family.rawValue)-\(style.rawValue)", exercise: family,
      difficulty: style, rate: rate ?? drawnRate, faults: faults ?? drawnFaults)
  }
}
