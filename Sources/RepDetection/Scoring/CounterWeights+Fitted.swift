// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, postures, qmin_lo
    score: SIMD8(13.179, 2.7782, 6.0967, -2.1271, -3.9167, -6.1015, -0.5236, -3.0902),
    temperature: 1.4,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [-0.3325, 2.506, 6.0652, -2.6205, 1.1116, -8.6116, -14.3619, 1.5323])
}
