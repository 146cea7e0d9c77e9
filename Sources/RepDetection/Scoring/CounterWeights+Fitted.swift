// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, postures, qmin_lo
    score: SIMD8(12.915, 2.4964, 5.6552, -1.8332, -3.9422, -6.076, -0.5447, -3.2404),
    temperature: 1.5,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [-0.691, 2.5432, 6.2788, -2.8813, 1.0174, -7.288, -14.4634, 1.7596])
}
