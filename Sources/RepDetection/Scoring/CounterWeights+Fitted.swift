// Written by tools/fit-counter. Do not edit.

extension CounterWeights {
  /// Fitted to the recordings that docs/accuracy.md names.
  package static let fitted = CounterWeights(
    // score, qmean, log_n, log_t2, partial, half2, turn, qmin_lo
    score: SIMD8(14.606, 2.3137, 3.8663, -1.8581, -3.8977, -6.368, -0.7636, -3.0655),
    temperature: 1.5,
    // bias, qmean, paused, fast, reach, irregular, gait, kin
    gate: [-0.4298, 2.7017, 6.8557, -2.812, 1.1374, -6.5129, -14.2935, 1.2692])
}
