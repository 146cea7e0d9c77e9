/// A matrix stored by columns, for computing the dot products of all pairs of columns.
struct ColumnMatrix {
  let columns: Int
  private let quads: Int
  private var storage: [SIMD4<Double>]

  /// - Parameter fill: Writes the values, which are initially 0. The element of a row and a column is at
  ///   `column` × `stride` + `row`.
  init(
    columns: Int, rows: Int,
    fill: (_ values: UnsafeMutableBufferPointer<Double>, _ stride: Int) -> Void
  ) {
    // Rounded up to an even number, because columns are multiplied in pairs.
    self.columns = columns + columns % 2
    quads = (rows + 3) / 4
    storage = [SIMD4<Double>](repeating: .zero, count: self.columns * quads)
    let stride = quads * 4
    storage.withUnsafeMutableBytes { fill($0.bindMemory(to: Double.self), stride) }
  }

  /// Returns the dot products of all pairs of columns, as a full square by rows.
  func products() -> [Double] {
    var result = [Double](repeating: 0, count: columns * columns)
    storage.withUnsafeBufferPointer { values in
      for a in stride(from: 0, to: columns, by: 2) {
        for b in stride(from: 0, through: a, by: 2) {
          var (s00, s01) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
          var (s10, s11) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
          for row in 0..<quads {
            let (a0, a1) = (values[a * quads + row], values[(a + 1) * quads + row])
            let (b0, b1) = (values[b * quads + row], values[(b + 1) * quads + row])
            s00 += a0 * b0
            s01 += a0 * b1
            s10 += a1 * b0
            s11 += a1 * b1
          }
          for (i, j, sum) in [(a, b, s00), (a, b + 1, s01), (a + 1, b, s10), (a + 1, b + 1, s11)] {
            let product = sum.sum()
            result[i * columns + j] = product
            result[j * columns + i] = product
          }
        }
      }
    }
    return result
  }
}
