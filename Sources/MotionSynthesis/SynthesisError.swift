/// The reason why a recording cannot be generated.
package enum SynthesisError: Error, Sendable, Hashable, CustomStringConvertible {
  case outOfRange(option: String, value: Double, allowed: ClosedRange<Double>)

  package var description: String {
    switch self {
    case .outOfRange(let option, let value, let allowed):
      "\(option) is \(Self.text(value)); expected \(Self.text(allowed.lowerBound)) to "
        + Self.text(allowed.upperBound)
    }
  }

  /// Formats a number; whole numbers without decimals.
  private static func text(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
