import Motion

extension MovementModel {
  /// How well the model explains the windows, and how surely.
  struct Fit {
    var model: MovementModel
    /// Twice the negative logarithm of the likelihood, up to a constant.
    var deviance: Double
    /// Of every rep, in seconds.
    var errors: [PhaseErrors]
  }

  /// Standard errors of one rep's times, in seconds, the shape given and the unexplained taken for
  /// white noise.
  struct PhaseErrors {
    var out: Double
    var back: Double
    var farPause: Double
    var begin: Double
    var end: Double

    init(_ factor: SymmetricSystem.Factor, turnsAtFarEnd: Bool) {
      let rest = [Double](repeating: 0, count: Rep.count - 4)
      out = factor.standardError([-1, 1, 0, 0] + rest)
      back = factor.standardError((turnsAtFarEnd ? [0, -1, 0, 1] : [0, 0, -1, 1]) + rest)
      farPause = turnsAtFarEnd ? 0 : factor.standardError([0, -1, 1, 0] + rest)
      begin = factor.standardError([1, 0, 0, 0] + rest)
      end = factor.standardError([0, 0, 0, 1] + rest)
    }
  }

  /// Deviations of what reps have of their own from what is usual: skew, sticking, range, turn.
  private static let usualDeviation = (skew: 0.1, sticking: 0.06, range: 0.08, turn: 0.12)

  /// Fits from a first guess.
  ///
  /// - Parameters:
  ///   - guess: begin, arrival, departure and end of every rep.
  ///   - iterations: at most.
  static func fitted(
    _ windows: [Window], guess: [Rep], turnsAtHome: Bool, turnsAtFarEnd: Bool,
    iterations: Int
  ) -> Fit? {
    guard let first = windows.first, windows.count == guess.count else { return nil }
    let channels = first.channels.count
    let start = guess.map { guess -> Rep in
      var rep = guess
      let middle = (rep.arrival + rep.departure) / 2
      if turnsAtFarEnd {
        rep.values[1] = middle
        rep.values[2] = middle
      } else if rep.departure - rep.arrival < 0.4 {
        // Begin with a pause: it is easier lost than found.
        let arrival = max(middle - 0.2, rep.begin + 0.2)
        let departure = min(middle + 0.2, rep.end - 0.2)
        if arrival < departure {
          rep.values[1] = arrival
          rep.values[2] = departure
        }
      }
      return rep
    }
    var model = MovementModel(
      shape: Shape(
        path: [SIMD4<Double>](repeating: .zero, count: channels),
        homeTurn: usualTurn(turnsAtHome), farTurn: usualTurn(turnsAtFarEnd)),
      reps: start, turnsAtFarEnd: turnsAtFarEnd)
    let usualTurn = (home: model.shape.homeTurn, far: model.shape.farTurn)
    var spread = Spread(windows)
    var damping = 1e-3
    model =
      model.step(
        windows, spread: spread, damping: 1e-9, usualTurn: usualTurn, onlyPath: true
      )?.model ?? model
    spread = model.spread(windows)
    var cost = model.cost(windows, spread: spread, usualTurn: usualTurn)
    for iteration in 0..<iterations {
      guard
        let trial = model.step(
          windows, spread: spread, damping: damping, usualTurn: usualTurn, onlyPath: false)
      else { return nil }
      let value = trial.model.cost(windows, spread: spread, usualTurn: usualTurn)
      if value < cost {
        let gain = cost - value
        model = trial.model
        damping = max(damping / 5, 1e-6)
        spread = model.spread(windows)
        cost = model.cost(windows, spread: spread, usualTurn: usualTurn)
        if gain < 1e-3 * Double(windows.count), iteration > 4 { break }
      } else {
        damping *= 8
        if damping > 1e4 { break }
      }
    }
    let errors = model.step(
      windows, spread: spread, damping: 0, usualTurn: usualTurn, onlyPath: false)?.errors
    guard let errors else { return nil }
    return Fit(
      model: model, deviance: cost + spread.logarithms(windows), errors: errors)
  }

  // MARK: Residuals

  /// The size of what the model does not explain: tremor, noise, drift.
  struct Spread {
    /// rad/s and m/s.
    var rotation: Double
    var velocity: Double

    static let least = (rotation: 0.01, velocity: 0.002)

    /// The part of the deviance that does not depend on the residuals.
    func logarithms(_ windows: [Window]) -> Double {
      windows.reduce(0) { sum, window in
        let velocities = Double(window.channels.count - window.firstVelocity)
        return sum + 2 * Double(window.count)
          * (Double(window.firstVelocity) * Math.log(rotation) + velocities * Math.log(velocity))
      }
    }

    init(rotation: Double, velocity: Double) {
      self.rotation = rotation
      self.velocity = velocity
    }

    /// A first guess from the size of the signals.
    init(_ windows: [Window]) {
      func size(_ rows: (Window) -> ArraySlice<[Double]>) -> Double {
        var sum = 0.0
        var count = 0.0
        for window in windows {
          for channel in rows(window) {
            sum += channel.reduce(0) { $0 + $1 * $1 }
            count += Double(channel.count)
          }
        }
        return count > 0 ? (sum / count).squareRoot() : 0
      }
      rotation = max(0.3 * size { $0.channels[..<$0.firstVelocity] }, Self.least.rotation)
      velocity = max(0.3 * size { $0.channels[$0.firstVelocity...] }, Self.least.velocity)
    }
  }

  private func residuals(_ rep: Int, _ window: Window) -> [Double] {
    let predicted = Self.predicted(
      changes(reps[rep], in: window), path: shape.path, in: window)
    var result: [Double] = []
    result.reserveCapacity(predicted.count)
    var index = 0
    for channel in window.channels {
      for value in channel {
        result.append(value - predicted[index])
        index += 1
      }
    }
    return result
  }

  private func spread(_ windows: [Window]) -> Spread {
    var sums = (rotation: 0.0, velocity: 0.0)
    var counts = (rotation: 0.0, velocity: 0.0)
    for (index, window) in windows.enumerated() {
      let border = window.count * window.firstVelocity
      for (place, residual) in residuals(index, window).enumerated() {
        if place < border {
          sums.rotation += residual * residual
          counts.rotation += 1
        } else {
          sums.velocity += residual * residual
          counts.velocity += 1
        }
      }
    }
    return Spread(
      rotation: max((sums.rotation / max(counts.rotation, 1)).squareRoot(), Spread.least.rotation),
      velocity: max((sums.velocity / max(counts.velocity, 1)).squareRoot(), Spread.least.velocity))
  }

  private func cost(
    _ windows: [Window], spread: Spread, usualTurn: (home: Double, far: Double)
  ) -> Double {
    var sum = 0.0
    for (index, window) in windows.enumerated() {
      let p = reps[index].values
      guard p[1] - p[0] > 0.15, p[2] >= p[1], p[3] - p[2] > 0.15 else { return .infinity }
      let border = window.count * window.firstVelocity
      for (place, residual) in residuals(index, window).enumerated() {
        let scaled = residual / (place < border ? spread.rotation : spread.velocity)
        sum += scaled * scaled
      }
      for (value, prior) in zip(p[4...], Self.priors) {
        let scaled = (value - prior.mean) / prior.deviation
        sum += scaled * scaled
      }
    }
    let home = (shape.homeTurn - usualTurn.home) / Self.usualDeviation.turn
    let far = (shape.farTurn - usualTurn.far) / Self.usualDeviation.turn
    return sum + home * home + far * far
  }

  private static let priors: [(mean: Double, deviation: Double)] = [
    (0, usualDeviation.skew), (0, usualDeviation.skew), (0, usualDeviation.sticking),
    (0, usualDeviation.sticking), (1, usualDeviation.range),
  ]

  // MARK: One step

  private struct Step {
    var model: MovementModel
    var errors: [PhaseErrors]
  }

  /// One step of Levenberg and Marquardt.
  private func step(
    _ windows: [Window], spread: Spread, damping: Double,
    usualTurn: (home: Double, far: Double), onlyPath: Bool
  ) -> Step? {
    let channels = shape.path.count
    let shared = channels * 4 + 2
    let own = Rep.count
    var global = SymmetricSystem(order: shared)
    var blocks: [Block] = []
    for (index, window) in windows.enumerated() {
      let rep = reps[index]
      let changes = self.changes(rep, in: window)
      let count = window.count
      let border = count * window.firstVelocity
      let base = Self.predicted(changes, path: shape.path, in: window)
      func weight(_ place: Int) -> Double {
        1 / (place < border ? spread.rotation : spread.velocity)
      }
      var residual = residuals(index, window)
      for place in residual.indices { residual[place] *= weight(place) }
      func slope(_ model: MovementModel, _ rep: Rep, _ by: Double) -> [Double] {
        var values = Self.predicted(
          model.changes(rep, in: window), path: shape.path, in: window)
        for place in values.indices {
          values[place] = (values[place] - base[place]) / by * weight(place)
        }
        return values
      }
      // Columns of the rep's own parameters.
      var ownColumns: [[Double]] = []
      if !onlyPath {
        for parameter in 0..<own {
          if turnsAtFarEnd && parameter == 2 {
            ownColumns.append([])
            continue
          }
          let by = parameter < 4 ? 0.004 : 0.01
          var moved = rep
          moved.values[parameter] += by
          if turnsAtFarEnd && parameter == 1 { moved.values[2] += by }
          ownColumns.append(slope(self, moved, by))
        }
      }
      // Columns of the turns.
      var turnColumns: [[Double]] = []
      if !onlyPath {
        for parameter in 0..<2 {
          var moved = self
          if parameter == 0 { moved.shape.homeTurn += 0.02 } else { moved.shape.farTurn += 0.02 }
          turnColumns.append(slope(moved, rep, 0.02))
        }
      }
      // Columns of the path: each touches one channel only.
      var powerColumns: [[Double]] = (0..<4).map { power in changes.map { $0[power] } }
      var flattened = powerColumns
      for power in 0..<4 { window.takeOffDrift(&flattened[power], from: 0) }
      func pathColumn(_ channel: Int, _ power: Int) -> [Double] {
        channel < window.firstVelocity ? powerColumns[power] : flattened[power]
      }
      for channel in 0..<channels {
        let w = channel < window.firstVelocity ? 1 / spread.rotation : 1 / spread.velocity
        let offset = channel * count
        for a in 0..<4 {
          let column = pathColumn(channel, a)
          var right = 0.0
          for i in 0..<count { right += column[i] * residual[offset + i] }
          global.right[channel * 4 + a] += right * w
          for b in 0...a {
            let other = pathColumn(channel, b)
            var sum = 0.0
            for i in 0..<count { sum += column[i] * other[i] }
            global.add(channel * 4 + a, channel * 4 + b, sum * w * w)
          }
          for (turn, values) in turnColumns.enumerated() {
            var sum = 0.0
            for i in 0..<count { sum += column[i] * values[offset + i] }
            global.add(channels * 4 + turn, channel * 4 + a, sum * w)
          }
        }
      }
      guard !onlyPath else { continue }
      for (a, values) in turnColumns.enumerated() {
        global.right[channels * 4 + a] += dot(values, residual)
        for b in 0...a {
          global.add(channels * 4 + a, channels * 4 + b, dot(values, turnColumns[b]))
        }
      }
      var block = Block(own: own, shared: shared)
      for (a, column) in ownColumns.enumerated() {
        if !column.isEmpty {
          block.matrix.right[a] = dot(column, residual)
          for b in 0...a where !ownColumns[b].isEmpty {
            block.matrix.add(a, b, dot(column, ownColumns[b]))
          }
          for (turn, values) in turnColumns.enumerated() {
            block.coupling[a * shared + channels * 4 + turn] = dot(column, values)
          }
          for channel in 0..<channels {
            let w = channel < window.firstVelocity ? 1 / spread.rotation : 1 / spread.velocity
            let offset = channel * count
            for power in 0..<4 {
              let values = pathColumn(channel, power)
              var sum = 0.0
              for i in 0..<count { sum += values[i] * column[offset + i] }
              block.coupling[a * shared + channel * 4 + power] = sum * w
            }
          }
        } else {
          block.matrix.add(a, a, 1)
        }
        if a >= 4 {
          let prior = Self.priors[a - 4]
          let precision = 1 / (prior.deviation * prior.deviation)
          block.matrix.add(a, a, precision)
          block.matrix.right[a] += (prior.mean - rep.values[a]) * precision
        }
      }
      powerColumns = []
      blocks.append(block)
    }
    let precision = 1 / (Self.usualDeviation.turn * Self.usualDeviation.turn)
    for (place, difference) in [
      usualTurn.home - shape.homeTurn, usualTurn.far - shape.farTurn,
    ].enumerated() {
      global.add(channels * 4 + place, channels * 4 + place, precision)
      global.right[channels * 4 + place] += difference * precision
    }
    for a in 0..<shared { global.add(a, a, global[a, a] * damping + 1e-9) }
    var factors: [SymmetricSystem.Factor] = []
    for index in blocks.indices {
      for a in 0..<own {
        blocks[index].matrix.add(a, a, blocks[index].matrix[a, a] * damping + 1e-9)
      }
      guard let factor = blocks[index].matrix.factored() else { return nil }
      factors.append(factor)
      blocks[index].eliminate(factor, from: &global)
    }
    guard let change = global.factored()?.solved(global.right) else { return nil }
    var result = self
    for channel in 0..<channels {
      for power in 0..<4 { result.shape.path[channel][power] += change[channel * 4 + power] }
    }
    guard !onlyPath else { return Step(model: result, errors: []) }
    result.shape.homeTurn += change[channels * 4]
    result.shape.farTurn += change[channels * 4 + 1]
    var errors: [PhaseErrors] = []
    for (index, block) in blocks.enumerated() {
      var right = block.matrix.right
      for a in 0..<own {
        for b in 0..<shared { right[a] -= block.coupling[a * shared + b] * change[b] }
      }
      let own = factors[index].solved(right)
      for a in own.indices {
        // No further than a quarter of a second at a time.
        result.reps[index].values[a] += a < 4 ? min(max(own[a], -0.25), 0.25) : own[a]
      }
      if turnsAtFarEnd { result.reps[index].values[2] = result.reps[index].values[1] }
      if result.reps[index].values[2] < result.reps[index].values[1] {
        let turn = (result.reps[index].values[1] + result.reps[index].values[2]) / 2
        result.reps[index].values[1] = turn
        result.reps[index].values[2] = turn
      }
      for a in 4..<6 {
        result.reps[index].values[a] = min(max(result.reps[index].values[a], -0.5), 0.5)
      }
      for a in 6..<8 {
        result.reps[index].values[a] = min(max(result.reps[index].values[a], -0.2), 0.3)
      }
      errors.append(PhaseErrors(factors[index], turnsAtFarEnd: turnsAtFarEnd))
    }
    return Step(model: result, errors: errors)
  }

  private func dot(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }

  /// The normal equations of one rep's own parameters, and their ties to the shared ones.
  private struct Block {
    var matrix: SymmetricSystem
    var coupling: [Double]
    let shared: Int

    init(own: Int, shared: Int) {
      matrix = SymmetricSystem(order: own)
      coupling = [Double](repeating: 0, count: own * shared)
      self.shared = shared
    }

    /// Schur's complement.
    func eliminate(_ factor: SymmetricSystem.Factor, from global: inout SymmetricSystem) {
      let own = matrix.order
      let solvedRight = factor.solved(matrix.right)
      var solved: [[Double]] = []
      for column in 0..<shared {
        solved.append(factor.solved((0..<own).map { coupling[$0 * shared + column] }))
      }
      for i in 0..<shared {
        var sum = 0.0
        for a in 0..<own { sum += coupling[a * shared + i] * solvedRight[a] }
        global.right[i] -= sum
        for j in 0...i {
          var sum = 0.0
          for a in 0..<own { sum += coupling[a * shared + i] * solved[j][a] }
          global.add(i, j, -sum)
        }
      }
    }
  }
}
