// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(14.6533, 2.2231, 3.7669, -1.8424, -3.2438, -6.1838, -0.7359, -3.3508),
    temperature: 1.5,
    // bias, qmean, log_n, fast, reach, irregular, gait, kin
    gate: [-2.363, 2.4637, 0.5857, -2.9804, 0.7825, -7.5609, -12.5328, 1.4742])
}
