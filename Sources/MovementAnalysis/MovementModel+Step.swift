extension MovementModel {
  /// Standard deviation of the residuals: tremor, noise, drift.
  struct Spread {
    /// In rad/s; velocity in m/s.
    var rotation: Double
    var velocity: Double

    private static let leastRotation = 0.01
    private static let leastVelocity = 0.002

    init(rotation: Double, velocity: Double) {
      self.rotation = max(rotation, Self.leastRotation)
      self.velocity = max(velocity, Self.leastVelocity)
    }
  }

  /// Sums of squared residuals, and the numbers of values in them.
  struct Residuals {
    var rotation = 0.0
    var velocity = 0.0
    var rotations = 0.0
    var velocities = 0.0

    var spread: Spread {
      Spread(
        rotation: (rotation / max(rotations, 1)).squareRoot(),
        velocity: (velocity / max(velocities, 1)).squareRoot())
    }
  }

  /// Unweighted normal equations of one rep: for each channel the dot products of all pairs of columns.
  ///
  /// The columns are the derivatives of the prediction with respect to the rep's own parameters, both turns,
  /// and the channel's own coefficients; then the residual.
  struct Products {
    static let pathColumn = Rep.parameters + 2
    static let residualColumn = pathColumn + 4
    private static let levelColumn = residualColumn + 1
    private static let lineColumn = residualColumn + 2
    static let columns = residualColumn + 3

    var channels: [[Double]]

    func unexplained(_ channel: Int) -> Double {
      channels[channel][Self.residualColumn * Self.columns + Self.residualColumn]
    }

    init(_ model: MovementModel, _ rep: Rep, _ window: Window, rotations: Int) {
      let count = window.count
      let edges = (0...count).map {
        model.progress(rep, at: window.start + Double($0) * window.interval)
      }
      let powers = edges.map { MovementModel.powers($0.value) }
      let scale = 1 / window.interval
      channels = window.channels.indices.map { channel in
        let path = model.path[channel]
        let values = window.channels[channel]
        let middle = Double(count - 1) / 2
        let matrix = ColumnMatrix(columns: Self.columns, rows: count) { matrix, stride in
          var before = edges[0].slopes * (path * MovementModel.powerSlopes(edges[0].value)).sum()
          for row in 0..<count {
            let slope = (path * MovementModel.powerSlopes(edges[row + 1].value)).sum()
            let after = edges[row + 1].slopes * slope
            let change = (after - before) * scale
            before = after
            let powerChange = (powers[row + 1] - powers[row]) * scale
            for column in 0..<Self.pathColumn { matrix[column * stride + row] = change[column] }
            for power in 0..<4 {
              matrix[(Self.pathColumn + power) * stride + row] = powerChange[power]
            }
            matrix[Self.residualColumn * stride + row] = values[row] - (powerChange * path).sum()
            if channel >= rotations {
              matrix[Self.levelColumn * stride + row] = 1
              matrix[Self.lineColumn * stride + row] = Double(row) - middle
            }
          }
        }
        return Self.detrended(matrix.products())
      }
    }

    /// Returns the dot products after the best straight line is subtracted from each column. Integrated
    /// velocity is known only up to such a line.
    private static func detrended(_ products: [Double]) -> [Double] {
      var result = products
      for line in [levelColumn, lineColumn] {
        // A constant and a line through the middle are orthogonal.
        let square = products[line * columns + line]
        guard square > 0 else { continue }
        for a in 0...residualColumn {
          let part = products[a * columns + line] / square
          for b in 0...residualColumn {
            result[a * columns + b] -= part * products[b * columns + line]
          }
        }
      }
      return result
    }
  }

  static func powers(_ progress: Double) -> SIMD4<Double> {
    let z = progress - 0.5
    let square = z * z
    return SIMD4(z, square, square * z, square * square)
  }

  static func powerSlopes(_ progress: Double) -> SIMD4<Double> {
    let z = progress - 0.5
    return SIMD4(1, 2 * z, 3 * z * z, 4 * z * z * z)
  }

  /// Prior of the reps' own parameters (skew, sticking, range) and of the deviation of both turns from their
  /// usual values.
  enum Prior {
    static let turnDeviation = 0.12

    /// One entry for each parameter after the times.
    static let ofReps: [(mean: Double, deviation: Double)] = [
      (0, 0.1), (0, 0.1), (0, 0.06), (0, 0.06), (1, 0.08),
    ]
    static let firstParameter = 4
  }

  /// Returns the penalty of the reps' own parameters and the turns: minus twice the log prior.
  func priorCost(homeTurn: Double, farTurn: Double) -> Double {
    var sum = 0.0
    for rep in reps {
      for (offset, prior) in Prior.ofReps.enumerated() {
        let scaled =
          (rep.values[Prior.firstParameter + offset] - prior.mean) / prior.deviation
        sum += scaled * scaled
      }
    }
    let home = (self.homeTurn - homeTurn) / Prior.turnDeviation
    let far = (self.farTurn - farTurn) / Prior.turnDeviation
    return sum + home * home + far * far
  }
}
