/// A small, fast, reproducible source of random numbers: SplitMix64 (Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014). It has 64 bits of state and uses integer operations only,
/// so all platforms give the same numbers.
package struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Creates a source for one purpose, independent of how many numbers other sources have drawn.
  init(seed: UInt64, stream: UInt64) { state = Self.derivedSeed(seed, stream) }

  /// Returns a seed that depends on both arguments without resembling either.
  static func derivedSeed(_ seed: UInt64, _ index: UInt64) -> UInt64 {
    mixed(mixed(seed &+ 0x9E37_79B9_7F4A_7C15) ^ (index &* 0xD1B5_4A32_D192_ED03))
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// Returns a uniform number in 0 ..< 1, with 53 random bits.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    let width = range.upperBound - range.lowerBound + 1
    return range.lowerBound + min(width - 1, Int(unit() * Double(width)))
  }

  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  mutating func sign() -> Double { chance(0.5) ? 1 : -1 }

  /// Returns a standard normal number by Marsaglia's polar method.
  mutating func gaussian() -> Double {
    while true {
      let u = 2 * unit() - 1
      let v = 2 * unit() - 1
      let s = u * u + v * v
      if s > 0 && s < 1 { return u * (-2 * DeterministicMath.logarithm(s) / s).squareRoot() }
    }
  }

  /// Returns a normal number clamped to ±2.5 standard deviations.
  mutating func gaussian(deviation: Double) -> Double {
    min(2.5, max(-2.5, gaussian())) * deviation
  }

  /// Returns a random element; nil for an empty collection.
  mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[integer(0...(elements.count - 1))]
  }
}
