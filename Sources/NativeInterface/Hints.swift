import CRepTrace
import RepDetection

/// Checks a caller's probabilities of sets; 0 means the default.
func check(setProbability: Double, setPrior: Double) throws {
  try require(
    (0...1).contains(setProbability), "set_probability is \(setProbability); expected 0 to 1")
  try require((0..<1).contains(setPrior), "set_prior is \(setPrior); expected between 0 and 1")
}

extension SetHints {
  init(_ hints: reptrace_hints) throws {
    self.init()
    try require(
      hints.expected_period >= 0 && hints.expected_period.isFinite,
      "expected_period is \(hints.expected_period); expected seconds, or 0")
    if hints.expected_period > 0 { expectedPeriodSeconds = hints.expected_period }
    if hints.target_reps > 0 { targetReps = Int(hints.target_reps) }
    if hints.minimum_reps > 0 { minimumReps = Int(hints.minimum_reps) }
    switch hints.alternating {
    case 0: break
    case 1: isAlternating = true
    case -1: isAlternating = false
    default:
      throw Failure.invalidArgument("alternating is \(hints.alternating); expected -1, 0 or 1")
    }
    // An unknown name has no effect.
    if let name = hints.exercise { exercise = .named(String(cString: name)) }
  }
}

extension DetectorConfiguration {
  /// Creates the standard configuration, modified by a caller's hints.
  init(hints: UnsafePointer<reptrace_hints>?) throws {
    self.init()
    guard let hints else { return }
    try checkSize(hints.pointee.struct_size, of: reptrace_hints.self, "hints")
    let chosen = hints.pointee
    try check(setProbability: chosen.set_probability, setPrior: chosen.set_prior)
    self.hints = try SetHints(chosen)
    if chosen.set_probability > 0 { setProbability = chosen.set_probability }
    if chosen.set_prior > 0 { setPrior = chosen.set_prior }
  }
}
