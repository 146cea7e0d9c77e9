/// A system of linear equations with a symmetric positive definite matrix.
package struct SymmetricSystem {
  package let order: Int
  /// The lower triangle by rows, stored in a full square.
  private var matrix: [Double]
  package var right: [Double]

  package init(order: Int) {
    self.order = order
    matrix = [Double](repeating: 0, count: order * order)
    right = [Double](repeating: 0, count: order)
  }

  /// The element of the lower triangle at `row` ≥ `column`.
  package subscript(row: Int, column: Int) -> Double { matrix[row * order + column] }

  package mutating func add(_ row: Int, _ column: Int, _ value: Double) {
    matrix[row * order + column] += value
  }

  /// Returns the Cholesky factor; nil if the matrix is not positive definite.
  package func factored() -> Factor? {
    var lower = matrix
    for i in 0..<order {
      for j in 0...i {
        var sum = lower[i * order + j]
        for k in 0..<j { sum -= lower[i * order + k] * lower[j * order + k] }
        if i == j {
          guard sum > 0, sum.isFinite else { return nil }
          lower[i * order + i] = sum.squareRoot()
        } else {
          lower[i * order + j] = sum / lower[j * order + j]
        }
      }
    }
    return Factor(order: order, lower: lower)
  }

  package struct Factor {
    fileprivate let order: Int
    fileprivate let lower: [Double]

    package func solved(_ right: [Double]) -> [Double] {
      var x = right
      for i in 0..<order {
        for k in 0..<i { x[i] -= lower[i * order + k] * x[k] }
        x[i] /= lower[i * order + i]
      }
      for i in (0..<order).reversed() {
        for k in (i + 1)..<max(order, i + 1) { x[i] -= lower[k * order + i] * x[k] }
        x[i] /= lower[i * order + i]
      }
      return x
    }

    /// Solves the system with the lower factor L only: returns L⁻¹ · `right`. The dot product of two columns
    /// of the result is their product with the inverse matrix between them.
    ///
    /// - Parameter right: `order` × `columns`, by rows.
    package func halfSolved(_ right: [Double], columns: Int) -> [Double] {
      var x = right
      for i in 0..<order {
        for k in 0..<i {
          let factor = lower[i * order + k]
          for c in 0..<columns { x[i * columns + c] -= factor * x[k * columns + c] }
        }
        for c in 0..<columns { x[i * columns + c] /= lower[i * order + i] }
      }
      return x
    }

    /// Returns the standard error of a weighted sum of the unknowns, if the matrix is the inverse of their
    /// covariance.
    package func standardError(_ weights: [Double]) -> Double {
      let variance = zip(weights, solved(weights)).reduce(0) { $0 + $1.0 * $1.1 }
      return max(variance, 0).squareRoot()
    }
  }
}
