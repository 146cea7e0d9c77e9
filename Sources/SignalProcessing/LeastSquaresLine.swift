/// The least-squares line through points. Its slope is 0 if all points have the same x.
package struct LeastSquaresLine {
  /// The value at x = 0.
  package var origin: Double
  package var slope: Double

  /// Returns nil if there are no points. O(n).
  package init?(through points: [(x: Double, y: Double)]) {
    guard !points.isEmpty else { return nil }
    let n = Double(points.count)
    let meanX = points.reduce(0) { $0 + $1.x } / n
    let meanY = points.reduce(0) { $0 + $1.y } / n
    let above = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    let below = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    slope = below > 0 ? above / below : 0
    origin = meanY - slope * meanX
  }
}
