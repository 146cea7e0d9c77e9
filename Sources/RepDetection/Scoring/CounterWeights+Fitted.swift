// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, postures, qmin_lo
    score: SIMD8(12.8865, 2.5255, 5.6127, -2.0883, -4.1382, -6.2475, -0.7173, -2.9713),
    temperature: 1.45,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [0.292, 2.282, 6.8584, -2.5791, 1.1823, -7.4575, -15.0468, 1.3053])
}
