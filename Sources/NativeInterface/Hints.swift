import CRepTrace
import RepDetection

extension reptrace_hints {
  /// Reads a caller's struct. Callers that were built before `set_probability` pass a shorter struct: nothing
  /// beyond its end is read, and the field is zero.
  init(reading hints: UnsafePointer<reptrace_hints>) throws {
    let bytes = UnsafeRawPointer(hints)
    let size = bytes.load(as: Int.self)
    let whole = MemoryLayout<Self>.size
    let older = MemoryLayout<Self>.offset(of: \.set_probability) ?? whole
    try checkSize(size, atLeast: older, "hints")
    self.init()
    withUnsafeMutableBytes(of: &self) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: size < whole ? older : whole))
    }
    guard (0...1).contains(set_probability) else {
      throw Failure.invalidArgument("set_probability is \(set_probability); expected 0 to 1")
    }
  }
}

extension SetHints {
  init(_ hints: reptrace_hints) throws {
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
    // An unknown name has no effect.
    if let name = hints.exercise { exercise = .named(String(cString: name)) }
  }
}

extension DetectorConfiguration {
  /// Creates the standard configuration, modified by a caller's hints.
  init(hints: UnsafePointer<reptrace_hints>?) throws {
    self.init()
    guard let hints else { return }
    let chosen = try reptrace_hints(reading: hints)
    self.hints = try SetHints(chosen)
    if chosen.set_probability > 0 { setProbability = chosen.set_probability }
  }
}
