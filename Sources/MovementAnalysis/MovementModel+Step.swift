extension MovementModel {
  /// The size of what the model does not explain: tremor, noise, drift.
  struct Spread {
    /// rad/s and m/s.
    var rotation: Double
    var velocity: Double

    private static let leastRotation = 0.01
    private static let leastVelocity = 0.002

    init(rotation: Double, velocity: Double) {
      self.rotation = max(rotation, Self.leastRotation)
      self.velocity = max(velocity, Self.leastVelocity)
    }
  }

  /// Sums of squares of what is not explained, and how many values they are of.
  struct Unexplained {
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

  /// The normal equations of one rep, before they are weighted: for each channel the products of
  /// all pairs of columns.
  ///
  /// Columns are the derivatives of what is predicted by the rep's own parameters, by both turns, and
  /// by the channel's own coefficients; then what is not explained.
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
        return Self.withoutLine(matrix.products())
      }
    }

    /// The products of what is left of the columns once the straight line is taken off that fits
    /// each best. Velocity is known but for one.
    private static func withoutLine(_ products: [Double]) -> [Double] {
      var result = products
      for line in [levelColumn, lineColumn] {
        // A level and a line about the middle have nothing in common.
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

  /// What is usual for what reps have of their own: skew, sticking, range; and how far both turns
  /// are from theirs.
  enum Prior {
    static let turnDeviation = 0.12

    /// For the parameters after the times.
    static let ofReps: [(mean: Double, deviation: Double)] = [
      (0, 0.1), (0, 0.1), (0, 0.06), (0, 0.06), (1, 0.08),
    ]
    static let firstParameter = 4
  }

  /// How unlikely the reps' own parameters and the turns are.
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
