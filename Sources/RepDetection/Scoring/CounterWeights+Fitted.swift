// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, postures, qmin_lo
    score: SIMD8(13.6185, 2.9363, 6.467, -2.2531, -3.7076, -6.4285, -0.4883, -3.1663),
    temperature: 1.35,
    // bias, qmean, paused, reach, irregular, gait, posture_beside, move_beside, step_peak, pause_max
    gate: [-0.5883, 1.6444, 5.1355, 1.0285, -8.1293, -6.7049, 1.2121, 1.2386, -3.9902, -0.7688])
}
