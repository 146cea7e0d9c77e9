// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(14.3984, 2.3034, 3.8578, -1.83, -3.8118, -6.3133, -0.6825, -3.2987),
    temperature: 1.5,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [0.0963, 2.5826, 6.4678, -2.7943, 1.2205, -7.809, -14.3358, 1.3052])
}
