// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(14.4488, 2.3527, 3.9914, -1.8615, -3.8575, -6.2898, -0.6529, -3.3086),
    temperature: 1.5,
    // bias, qmean, log_n, fast, reach, irregular, gait, kin
    gate: [-2.4635, 2.555, 0.5549, -3.0861, 0.7318, -7.9639, -13.1929, 1.3097])
}
