#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension Math {
  /// The angle of the point (`x`, `y`) from the x axis, −π to π.
  package static func arcTangent(_ y: Double, _ x: Double) -> Double { exactArcTangent(y, x) }

  package static let degreesPerRadian = 180 / Double.pi
}

private func exactArcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
