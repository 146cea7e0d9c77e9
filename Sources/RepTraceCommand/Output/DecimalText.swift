import Foundation

/// A number with a fixed count of decimals, for people.
func decimal(_ value: Double, _ places: Int) -> String {
  value.isFinite ? String(format: "%.\(places)f", value) : "–"
}
