// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, postures, qmin_lo
    score: SIMD8(12.9282, 2.4543, 5.6158, -1.8091, -3.8439, -6.1146, -0.5995, -3.3313),
    temperature: 1.5,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [-0.6979, 2.5884, 6.277, -2.6165, 0.9927, -8.423, -14.5287, 1.5464])
}
