// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, postures, qmin_lo
    score: SIMD8(13.5653, 2.9363, 6.4598, -2.1115, -3.2293, -6.422, -0.4856, -3.0555),
    temperature: 1.6,
    // bias, qmean, paused, reach, irregular, gait, posture_beside, move_beside, step_peak, pause_max
    gate: [-0.9869, 1.0269, 1.81, 0.4867, -5.0832, -1.9839, 0.9178, 0.8522, -2.2962, -0.2823])
}
