// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(13.7492, 2.7262, 5.2858, -1.9889, -3.8024, -6.097, -0.7321, -3.02),
    temperature: 1.45,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [0.0576, 2.4035, 7.5441, -2.0084, 1.2582, -6.3018, -13.5899, 1.0949])
}
