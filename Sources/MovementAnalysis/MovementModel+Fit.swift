import SignalProcessing

extension MovementModel {
  /// A fitted model with its goodness of fit and standard errors.
  struct Fit {
    var model: MovementModel
    /// Twice the negative log likelihood, up to a constant.
    var deviance: Double
    /// The standard errors of each rep's times.
    var errors: [PhaseErrors]
  }

  /// Standard errors of one rep's times, in seconds, assuming a known path and white residuals.
  struct PhaseErrors {
    var out: Double
    var back: Double
    var farPause: Double
    var begin: Double
    var end: Double
  }

  /// Fits a model by least squares: Levenberg–Marquardt steps, with each rep's own parameters eliminated from
  /// the normal equations by the Schur complement, and weights recomputed from the residuals. O(reps ×
  /// iterations).
  ///
  /// - Parameters:
  ///   - initial: Initial times of the rep in each window.
  ///   - rotations: Number of channels of each window that are rotation rates.
  ///   - iterations: Maximum number of iterations.
  static func fitted(
    _ windows: [Window], rotations: Int, initial: [Rep], turnsAtHome: Bool, turnsAtFarEnd: Bool,
    iterations: Int
  ) -> Fit? {
    guard let first = windows.first, windows.count == initial.count, !first.channels.isEmpty
    else { return nil }
    var fitter = Fitter(
      windows: windows, rotations: rotations, typicalHomeTurn: typicalTurn(turnsAtHome),
      typicalFarTurn: typicalTurn(turnsAtFarEnd))
    let model = MovementModel(
      path: [SIMD4<Double>](repeating: .zero, count: first.channels.count),
      homeTurn: fitter.typicalHomeTurn, farTurn: fitter.typicalFarTurn,
      reps: initial.map { started($0, turnsAtFarEnd: turnsAtFarEnd) }, turnsAtFarEnd: turnsAtFarEnd)
    return fitter.fit(model, iterations: iterations)
  }

  private static func started(_ initial: Rep, turnsAtFarEnd: Bool) -> Rep {
    var rep = initial
    let middle = (rep.arrival + rep.departure) / 2
    if turnsAtFarEnd {
      rep.values[1] = middle
      rep.values[2] = middle
    } else if rep.departure - rep.arrival < 0.4 {
      // Begin with a pause, which the fit removes more easily than it adds one.
      let arrival = max(middle - 0.2, rep.begin + 0.2)
      let departure = min(middle + 0.2, rep.end - 0.2)
      if arrival < departure {
        rep.values[1] = arrival
        rep.values[2] = departure
      }
    }
    return rep
  }

  /// A model with the normal equations of its reps.
  private struct State {
    var model: MovementModel
    var products: [Products]
    var unexplained: Residuals
  }

  private struct Step {
    var model: MovementModel
    var factors: [SymmetricSystem.Factor]
  }

  private struct Fitter {
    let windows: [Window]
    let rotations: Int
    let typicalHomeTurn: Double
    let typicalFarTurn: Double
    private let shortestPhase = 0.15

    init(windows: [Window], rotations: Int, typicalHomeTurn: Double, typicalFarTurn: Double) {
      self.windows = windows
      self.rotations = rotations
      self.typicalHomeTurn = typicalHomeTurn
      self.typicalFarTurn = typicalFarTurn
    }

    mutating func fit(_ start: MovementModel, iterations: Int) -> Fit? {
      guard var state = state(start) else { return nil }
      // First fit the path alone, starting from zero.
      var spread = state.unexplained.spread
      if let step = step(from: state, spread: spread, damping: 1e-9, onlyPath: true),
        let next = self.state(step.model)
      {
        state = next
      }
      spread = state.unexplained.spread
      var cost = cost(state, spread)
      var damping = 1e-3
      for iteration in 0..<iterations {
        guard let step = step(from: state, spread: spread, damping: damping, onlyPath: false)
        else { return nil }
        let next = self.state(step.model)
        let value = next.map { self.cost($0, spread) } ?? .infinity
        if let next, value < cost {
          let gain = cost - value
          state = next
          damping = max(damping / 5, 1e-6)
          spread = state.unexplained.spread
          cost = self.cost(state, spread)
          if gain < 0.1 * Double(windows.count), iteration > 2 { break }
        } else {
          damping *= 8
          if damping > 1e4 { break }
        }
      }
      guard let last = step(from: state, spread: spread, damping: 0, onlyPath: false)
      else { return nil }
      let logarithms =
        state.unexplained.rotations * Math.log(spread.rotation)
        + state.unexplained.velocities * Math.log(spread.velocity)
      return Fit(
        model: state.model, deviance: cost + 2 * logarithms,
        errors: last.factors.map { errors($0, turnsAtFarEnd: state.model.turnsAtFarEnd) })
    }

    /// Returns nil if a rep's times are out of order.
    private func state(_ model: MovementModel) -> State? {
      var products: [Products] = []
      var unexplained = Residuals()
      products.reserveCapacity(windows.count)
      for (rep, window) in zip(model.reps, windows) {
        guard rep.arrival - rep.begin > shortestPhase, rep.departure >= rep.arrival,
          rep.end - rep.departure > shortestPhase
        else { return nil }
        let own = Products(model, rep, window, rotations: rotations)
        for channel in window.channels.indices {
          if channel < rotations {
            unexplained.rotation += own.unexplained(channel)
          } else {
            unexplained.velocity += own.unexplained(channel)
          }
        }
        unexplained.rotations += Double(window.count * rotations)
        unexplained.velocities += Double(window.count * (window.channels.count - rotations))
        products.append(own)
      }
      return State(model: model, products: products, unexplained: unexplained)
    }

    private func cost(_ state: State, _ spread: Spread) -> Double {
      state.unexplained.rotation / (spread.rotation * spread.rotation)
        + state.unexplained.velocity / (spread.velocity * spread.velocity)
        + state.model.priorCost(homeTurn: typicalHomeTurn, farTurn: typicalFarTurn)
    }

    private func errors(
      _ factor: SymmetricSystem.Factor, turnsAtFarEnd: Bool
    ) -> PhaseErrors {
      func error(_ times: [Double]) -> Double {
        factor.standardError(times + [Double](repeating: 0, count: Rep.parameters - times.count))
      }
      return PhaseErrors(
        out: error([-1, 1, 0, 0]), back: error(turnsAtFarEnd ? [0, -1, 0, 1] : [0, 0, -1, 1]),
        farPause: turnsAtFarEnd ? 0 : error([0, -1, 1, 0]), begin: error([1, 0, 0, 0]),
        end: error([0, 0, 0, 1]))
    }

    /// Computes one step. The shared unknowns are four coefficients per channel, then both turns.
    private func step(
      from state: State, spread: Spread, damping: Double, onlyPath: Bool
    ) -> Step? {
      let channels = state.model.path.count
      let shared = channels * 4 + 2
      let own = Rep.parameters
      let size = Products.columns
      let residual = Products.residualColumn
      let firstTurn = channels * 4
      var global = SymmetricSystem(order: shared)
      var blocks: [Block] = []
      blocks.reserveCapacity(windows.count)
      for (rep, products) in zip(state.model.reps, state.products) {
        var block = Block(own: own, shared: shared)
        for (channel, product) in products.channels.enumerated() {
          let size2 = channel < rotations ? spread.rotation : spread.velocity
          let weight = 1 / (size2 * size2)
          for a in 0..<4 {
            let row = (Products.pathColumn + a) * size
            global.right[channel * 4 + a] += product[row + residual] * weight
            for b in 0...a {
              global.add(
                channel * 4 + a, channel * 4 + b, product[row + Products.pathColumn + b] * weight)
            }
          }
          if onlyPath { continue }
          for turn in 0..<2 {
            let row = (own + turn) * size
            global.right[firstTurn + turn] += product[row + residual] * weight
            for a in 0..<4 {
              global.add(
                firstTurn + turn, channel * 4 + a, product[row + Products.pathColumn + a] * weight)
            }
            for other in 0...turn {
              global.add(firstTurn + turn, firstTurn + other, product[row + own + other] * weight)
            }
          }
          for a in 0..<own {
            let row = a * size
            block.matrix.right[a] += product[row + residual] * weight
            for b in 0...a { block.matrix.add(a, b, product[row + b] * weight) }
            for power in 0..<4 {
              block.coupling[a * shared + channel * 4 + power] +=
                product[row + Products.pathColumn + power] * weight
            }
            for turn in 0..<2 {
              block.coupling[a * shared + firstTurn + turn] += product[row + own + turn] * weight
            }
          }
        }
        if onlyPath { continue }
        for (offset, prior) in Prior.ofReps.enumerated() {
          let a = Prior.firstParameter + offset
          let precision = 1 / (prior.deviation * prior.deviation)
          block.matrix.add(a, a, precision)
          block.matrix.right[a] += (prior.mean - rep.values[a]) * precision
        }
        if state.model.turnsAtFarEnd { block.matrix.add(2, 2, 1) }
        blocks.append(block)
      }
      let precision = 1 / (Prior.turnDeviation * Prior.turnDeviation)
      for (turn, difference) in [
        typicalHomeTurn - state.model.homeTurn, typicalFarTurn - state.model.farTurn,
      ].enumerated() {
        global.add(firstTurn + turn, firstTurn + turn, precision)
        global.right[firstTurn + turn] += onlyPath ? 0 : difference * precision
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
      var model = state.model
      for channel in 0..<channels {
        for power in 0..<4 { model.path[channel][power] += change[channel * 4 + power] }
      }
      guard !onlyPath else { return Step(model: model, factors: []) }
      model.homeTurn += change[firstTurn]
      model.farTurn += change[firstTurn + 1]
      for (index, block) in blocks.enumerated() {
        model.reps[index].move(
          by: block.solved(factors[index], given: change), turnsAtFarEnd: model.turnsAtFarEnd)
      }
      return Step(model: model, factors: factors)
    }
  }

  /// Normal equations of one rep's own parameters, and their coupling to the shared ones.
  private struct Block {
    var matrix: SymmetricSystem
    var coupling: [Double]
    private let shared: Int

    init(own: Int, shared: Int) {
      matrix = SymmetricSystem(order: own)
      coupling = [Double](repeating: 0, count: own * shared)
      self.shared = shared
    }

    /// Subtracts the rep's Schur complement from the global system.
    func eliminate(_ factor: SymmetricSystem.Factor, from global: inout SymmetricSystem) {
      let own = matrix.order
      let halves = factor.halfSolved(coupling, columns: shared)
      let right = factor.halfSolved(matrix.right, columns: 1)
      for i in 0..<shared {
        var sum = 0.0
        for a in 0..<own { sum += halves[a * shared + i] * right[a] }
        global.right[i] -= sum
        for j in 0...i {
          var sum = 0.0
          for a in 0..<own { sum += halves[a * shared + i] * halves[a * shared + j] }
          global.add(i, j, -sum)
        }
      }
    }

    func solved(_ factor: SymmetricSystem.Factor, given change: [Double]) -> [Double] {
      var right = matrix.right
      for a in right.indices {
        for b in 0..<shared { right[a] -= coupling[a * shared + b] * change[b] }
      }
      return factor.solved(right)
    }
  }
}

extension MovementModel.Rep {
  /// Applies a step: limits changes of time to a quarter of a second, and clamps skew and sticking to
  /// plausible values.
  fileprivate mutating func move(by change: [Double], turnsAtFarEnd: Bool) {
    for (index, step) in change.enumerated() {
      values[index] += index < Self.skews ? min(max(step, -0.25), 0.25) : step
    }
    if turnsAtFarEnd { values[2] = values[1] }
    if values[2] < values[1] {
      let turn = (values[1] + values[2]) / 2
      values[1] = turn
      values[2] = turn
    }
    for index in Self.skews..<Self.stickings { values[index] = min(max(values[index], -0.5), 0.5) }
    for index in Self.stickings..<Self.rangeIndex {
      values[index] = min(max(values[index], -0.2), 0.3)
    }
  }
}
