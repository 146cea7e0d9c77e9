import Foundation

/// Formats a number with a fixed number of decimals, for people.
func decimal(_ value: Double, _ places: Int) -> String {
  value.isFinite ? String(format: "%.\(places)f", value) : "–"
}
