// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(14.3869, 2.3038, 3.8643, -1.7842, -2.9034, -6.3062, -0.6763, -3.3739),
    temperature: 1.55,
    // bias, qmean, log_n, fast, reach, irregular, gait, kin
    gate: [-2.3426, 2.4702, 0.551, -2.9285, 0.7942, -6.9292, -12.4759, 1.3421])
}
