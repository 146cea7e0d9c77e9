// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, postures, qmin_lo
    score: SIMD8(13.0823, 2.6882, 5.554, -2.2891, -4.0089, -6.3919, -0.7805, -2.8623),
    temperature: 1.4,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [-0.0946, 2.2858, 6.3389, -2.7817, 1.0085, -7.3546, -14.6618, 1.3237])
}
