/// Why a recording cannot be made.
public enum SynthesisError: Error, Sendable, Hashable, CustomStringConvertible {
  case outOfRange(option: String, value: Double, allowed: ClosedRange<Double>)

  public var description: String {
    switch self {
    case .outOfRange(let option, let value, let allowed):
      "\(option) is \(value); expected \(allowed.lowerBound) to \(allowed.upperBound)"
    }
  }
}
