// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(13.7433, 2.7587, 5.0173, -2.0219, -4.1238, -6.1993, -0.7289, -2.9729),
    temperature: 1.5,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [-0.2014, 2.5369, 5.7703, -2.7378, 1.3031, -4.7469, -13.5112, 1.2623])
}
