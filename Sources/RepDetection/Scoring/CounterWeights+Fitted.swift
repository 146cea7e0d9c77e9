// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(13.7745, 2.2193, 4.0348, -1.8743, -3.6476, -6.205, -1.1459, -2.8389),
    temperature: 1.65,
    // bias, qmean, log_n, fast, reach, irregular, gait, kin
    gate: [-2.3809, 2.3753, 0.5799, -3.0057, 0.7084, -7.5276, -14.1342, 1.8266])
}
