// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(17.2591, 3.2829, 5.5691, -2.8325, -5.056, -7.4069, -1.3525, -2.6423),
    temperature: 1.2,
    // bias, qmean, log_n, fast, reach, swing, irregular, gait, kin
    gate: [-2.5171, 2.1926, 0.7787, -3.0812, 0.7193, 0.0131, -6.2553, -14.9115, 0.9025])
}
