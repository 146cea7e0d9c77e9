// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(13.5486, 2.6497, 5.3473, -1.9815, -4.241, -6.0809, -0.725, -3.0575),
    temperature: 1.45,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [0.3097, 2.2918, 7.1355, -2.5206, 1.2225, -6.9774, -13.6377, 1.3129])
}
