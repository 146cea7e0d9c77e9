import CRepTrace
import RepDetection

extension SetHints {
  init(_ hints: reptrace_hints) throws {
    try checkSize(hints.struct_size, of: reptrace_hints.self, "hints")
    self.init()
    guard hints.expected_period >= 0, hints.expected_period.isFinite else {
      throw Failure.invalidArgument(
        "expected_period is \(hints.expected_period); expected seconds, or 0")
    }
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
    // A name that is not known says nothing.
    if let name = hints.exercise { exercise = .named(String(cString: name)) }
  }
}

extension DetectorConfiguration {
  /// The standard configuration, with what a caller knows beforehand.
  init(hints: UnsafePointer<reptrace_hints>?) throws {
    self.init()
    if let hints { self.hints = try SetHints(hints.pointee) }
  }
}
