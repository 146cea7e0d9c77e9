// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(13.6286, 2.6487, 5.3542, -2.0035, -4.3264, -6.0622, -0.737, -3.0264),
    temperature: 1.45,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [0.1179, 2.319, 7.3018, -2.5045, 1.1738, -6.8046, -14.9894, 1.4036])
}
