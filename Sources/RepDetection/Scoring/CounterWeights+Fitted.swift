// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(14.8259, 2.2004, 3.419, -1.6889, -3.242, -6.1805, -0.8809, -2.9238),
    temperature: 1.6,
    // bias, qmean, log_n, fast, reach, irregular, gait, kin
    gate: [-2.7061, 2.5068, 0.6448, -3.0478, 0.7287, -7.2632, -13.3457, 1.4059])
}
