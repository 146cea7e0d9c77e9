/// The principal axes of a symmetric matrix, by Jacobi's rotations (Golub and Van Loan, Matrix
/// Computations, §8.5). Small and exact enough for 3 × 3 and 9 × 9; no library needed.
enum PrincipalAxes {
  /// Eigenvalues in falling order with their unit eigenvectors. The sign of a vector is such that
  /// its largest component is positive, so that the same data always give the same axes.
  ///
  /// - Parameter matrix: row by row, `order` × `order`; only its symmetric part matters.
  static func of(_ matrix: [Double], order n: Int) -> (values: [Double], vectors: [[Double]]) {
    var a = matrix
    var v = [Double](repeating: 0, count: n * n)
    for i in 0..<n { v[i * n + i] = 1 }
    a.withUnsafeMutableBufferPointer { a in
      v.withUnsafeMutableBufferPointer { v in
        guard a.count >= n * n, let a = a.baseAddress, let v = v.baseAddress else { return }
        rotate(a, v, n)
      }
    }
    let order = (0..<n).sorted { a[$0 * n + $0] > a[$1 * n + $1] }
    let vectors = order.map { column in
      var vector = (0..<n).map { v[$0 * n + column] }
      let largest = vector.max { $0.magnitude < $1.magnitude } ?? 0
      if largest < 0 { for i in vector.indices { vector[i] = -vector[i] } }
      return vector
    }
    return (order.map { a[$0 * n + $0] }, vectors)
  }

  /// Turns `a` into a diagonal matrix and `v` into its axes, in columns.
  private static func rotate(
    _ a: UnsafeMutablePointer<Double>, _ v: UnsafeMutablePointer<Double>, _ n: Int
  ) {
    for _ in 0..<30 {
      var offDiagonal = 0.0
      var diagonal = 0.0
      for i in 0..<n {
        diagonal += a[i &* n &+ i] * a[i &* n &+ i]
        for j in (i + 1)..<max(n, i + 1) { offDiagonal += a[i &* n &+ j] * a[i &* n &+ j] }
      }
      if !(offDiagonal > 1e-20 * diagonal) { break }
      for p in 0..<n {
        for q in (p + 1)..<max(n, p + 1) {
          let apq = a[p &* n &+ q]
          if apq == 0 { continue }
          let theta = (a[q &* n &+ q] - a[p &* n &+ p]) / (2 * apq)
          let t = (theta < 0 ? -1 : 1) / (theta.magnitude + (theta * theta + 1).squareRoot())
          let c = 1 / (t * t + 1).squareRoot()
          let s = t * c
          for k in 0..<n {
            turn(&a[k &* n &+ p], &a[k &* n &+ q], c, s)
            turn(&v[k &* n &+ p], &v[k &* n &+ q], c, s)
          }
          for k in 0..<n { turn(&a[p &* n &+ k], &a[q &* n &+ k], c, s) }
        }
      }
    }
  }

  @inline(__always)
  private static func turn(_ x: inout Double, _ y: inout Double, _ c: Double, _ s: Double) {
    let (old, other) = (x, y)
    x = c * old - s * other
    y = s * old + c * other
  }
}
