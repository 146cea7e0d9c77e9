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
    for _ in 0..<30 {
      var offDiagonal = 0.0
      var diagonal = 0.0
      for i in 0..<n {
        diagonal += a[i * n + i] * a[i * n + i]
        for j in (i + 1)..<max(n, i + 1) { offDiagonal += a[i * n + j] * a[i * n + j] }
      }
      if !(offDiagonal > 1e-20 * diagonal) { break }
      for p in 0..<n {
        for q in (p + 1)..<max(n, p + 1) {
          let apq = a[p * n + q]
          if apq == 0 { continue }
          let theta = (a[q * n + q] - a[p * n + p]) / (2 * apq)
          let t = (theta < 0 ? -1 : 1) / (theta.magnitude + (theta * theta + 1).squareRoot())
          let c = 1 / (t * t + 1).squareRoot()
          let s = t * c
          for k in 0..<n {
            let akp = a[k * n + p]
            let akq = a[k * n + q]
            a[k * n + p] = c * akp - s * akq
            a[k * n + q] = s * akp + c * akq
          }
          for k in 0..<n {
            let apk = a[p * n + k]
            let aqk = a[q * n + k]
            a[p * n + k] = c * apk - s * aqk
            a[q * n + k] = s * apk + c * aqk
            let vkp = v[k * n + p]
            let vkq = v[k * n + q]
            v[k * n + p] = c * vkp - s * vkq
            v[k * n + q] = s * vkp + c * vkq
          }
        }
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
}
