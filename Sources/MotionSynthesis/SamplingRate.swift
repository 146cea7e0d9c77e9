/// The watch's sampling rate, in hertz.
package enum SamplingRate: Sendable, Hashable {
  case constant(Double)
  case phased(execution: Double, rest: Double)

  /// The watch app's rates: 50 Hz in execution, 20 Hz at rest.
  package static let watch = SamplingRate.phased(execution: 50, rest: 20)

  /// The text for file names and labels: `50` or `50-20`.
  package var label: String {
    func text(_ value: Double) -> String {
      value == value.rounded() && value < 1e6 ? String(Int(value)) : "\(value)"
    }
    switch self {
    case .constant(let hertz): return text(hertz)
    case .phased(let execution, let rest): return text(execution) + "-" + text(rest)
    }
  }
}
