/// The principal axes of a symmetric matrix by Jacobi rotations (Golub and Van Loan, Matrix Computations,
/// §8.5). Accurate enough for matrices of up to about 10 × 10.
package enum PrincipalAxes {
  /// Returns eigenvalues in descending order with their unit eigenvectors. The sign of a vector is chosen so
  /// that its largest component is positive, which makes results reproducible.
  ///
  /// - Parameter matrix: `order` × `order`, by rows; only its symmetric part is used.
  package static func of(_ matrix: [Double], order n: Int) -> (
    values: [Double], vectors: [[Double]]
  ) {
    // Rows are stored as pairs of numbers; an odd last element is padded with zero. The rows of `v` are the
    // axes.
    let pairs = (n + 1) / 2
    var a = [SIMD2<Double>](repeating: .zero, count: n * pairs)
    var v = a
    for i in 0..<n {
      for j in 0..<n { a[i * pairs + j / 2][j % 2] = matrix[i * n + j] }
      v[i * pairs + i / 2][i % 2] = 1
    }
    a.withUnsafeMutableBufferPointer { a in
      v.withUnsafeMutableBufferPointer { v in
        guard let a = a.baseAddress, let v = v.baseAddress else { return }
        rotate(a, v, order: n, pairs: pairs)
      }
    }
    let values = (0..<n).map { a[$0 * pairs + $0 / 2][$0 % 2] }
    // Insertion sort, because there are few values. Stable for equal ones.
    var order: [Int] = []
    order.reserveCapacity(n)
    for row in 0..<n {
      let place = order.firstIndex { values[$0] < values[row] } ?? order.count
      order.insert(row, at: place)
    }
    let vectors = order.map { row -> [Double] in
      var vector: [Double] = []
      vector.reserveCapacity(n)
      var largest = 0.0
      for i in 0..<n {
        let x = v[row * pairs + i / 2][i % 2]
        vector.append(x)
        if x.magnitude > largest.magnitude { largest = x }
      }
      if largest < 0 { for i in 0..<n { vector[i] = -vector[i] } }
      return vector
    }
    return (order.map { values[$0] }, vectors)
  }

  /// Returns the principal directions of vectors and the sums of squares along them. The mean is not
  /// subtracted.
  package static func of(_ vectors: [SIMD3<Double>]) -> (powers: [Double], axes: [SIMD3<Double>]) {
    var matrix = [Double](repeating: 0, count: 9)
    for v in vectors {
      for i in 0..<3 {
        for j in 0..<3 { matrix[i * 3 + j] += v[i] * v[j] }
      }
    }
    let (powers, axes) = of(matrix, order: 3)
    return (powers, axes.map { SIMD3($0[0], $0[1], $0[2]) })
  }

  /// Diagonalizes `a` and accumulates its axes in the rows of `v`.
  private static func rotate(
    _ rows: UnsafeMutablePointer<SIMD2<Double>>, _ axes: UnsafeMutablePointer<SIMD2<Double>>,
    order n: Int, pairs: Int
  ) {
    let width = 2 &* pairs
    let a = UnsafeMutableRawPointer(rows).assumingMemoryBound(to: Double.self)
    for _ in 0..<30 {
      var offDiagonal = 0.0
      var diagonal = 0.0
      for i in 0..<n {
        diagonal += a[i &* width &+ i] * a[i &* width &+ i]
        for j in (i + 1)..<max(n, i + 1) {
          offDiagonal += a[i &* width &+ j] * a[i &* width &+ j]
        }
      }
      // Convergence is quadratic, and the remainder is below the precision that users of the axes need.
      if !(offDiagonal > 1e-15 * diagonal) { break }
      // If all elements were this small, the loop would have ended.
      let negligible = 1e-15 * diagonal / Double(n &* n)
      for p in 0..<n {
        for q in (p + 1)..<max(n, p + 1) {
          let apq = a[p &* width &+ q]
          if apq * apq <= negligible { continue }
          let theta = (a[q &* width &+ q] - a[p &* width &+ p]) / (2 * apq)
          let t = (theta < 0 ? -1 : 1) / (theta.magnitude + (theta * theta + 1).squareRoot())
          let c = 1 / (t * t + 1).squareRoot()
          let s = t * c
          var row = a
          for _ in 0..<n {
            let (x, y) = (row[p], row[q])
            row[p] = c * x - s * y
            row[q] = s * x + c * y
            row += width
          }
          turn(rows + p &* pairs, rows + q &* pairs, pairs, c, s)
          turn(axes + p &* pairs, axes + q &* pairs, pairs, c, s)
        }
      }
    }
  }

  @inline(__always)
  private static func turn(
    _ first: UnsafeMutablePointer<SIMD2<Double>>, _ second: UnsafeMutablePointer<SIMD2<Double>>,
    _ pairs: Int, _ c: Double, _ s: Double
  ) {
    for k in 0..<pairs {
      let (x, y) = (first[k], second[k])
      first[k] = x * c - y * s
      second[k] = x * s + y * c
    }
  }
}
