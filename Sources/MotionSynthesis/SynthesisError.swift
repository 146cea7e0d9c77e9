/// Why a recording cannot be made.
package enum SynthesisError: Error, Sendable, Hashable, CustomStringConvertible {
  case outOfRange(option: String, value: Double, allowed: ClosedRange<Double>)

  package var description: String {
    switch self {
    case .outOfRange(let option, let value, let allowed):
      "\(option) is \(value); expected \(allowed.lowerBound) to \(allowed.upperBound)"
    }
  }
}
