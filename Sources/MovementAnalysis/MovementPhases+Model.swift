import Motion
import SignalProcessing

extension MovementPhases {
  /// A first look at all accounts of a set, and a closer one at those that come into question.
  private struct Pass {
    var intervals: Int
    var iterations: Int
    /// How much worse than the best one an account may be to come into question.
    var margin: Double

    static let first = Pass(intervals: 30, iterations: 8, margin: 150)
    static let close = Pass(intervals: 60, iterations: 12, margin: 100)
  }

  /// Ends turn around more or less as a harmonic oscillation, or rest; a set that is best told by
  /// something in between is not understood.
  private static let largestTurnDeviation = 0.4

  /// Seconds by which accounts that explain a set equally well may differ in a typical phase.
  private static let largestDisagreement = 0.04

  /// The phases of all reps, told by a ``MovementModel`` of the whole set where one can be made.
  ///
  /// Whether the movement rests at home and at the turnaround or passes them without a stop is tried out; then
  /// all is done again from the better times.
  static func modelled(
    _ first: [MovementPhases?], track: MovementTrack, in motion: AlignedMotion
  ) -> [MovementPhases?] {
    guard let orientation = track.orientation,
      let signals = MovementModel.Signals(motion, orientation: orientation)
    else { return first }
    var phases = first
    // A way that is integrated twice depends on the reps' begins: there halves are first values as well.
    var starts = track.source == .displacement ? [first, halves(first, track, motion)] : [first]
    var trials = [
      Ends(turnsAtHome: true, turnsAtFarEnd: true), Ends(turnsAtHome: true, turnsAtFarEnd: false),
      Ends(turnsAtHome: false, turnsAtFarEnd: true), Ends(turnsAtHome: false, turnsAtFarEnd: false),
    ]
    for pass in [Pass.first, .close] {
      let explanations = starts.flatMap { start in
        trials.compactMap { explanation(of: start, signals, ends: $0, pass) }
      }.sorted { $0.deviance < $1.deviance }
      guard let best = explanations.first else { return phases }
      let open = explanations.filter { $0.deviance - best.deviance < pass.margin }
      trials = trials.filter { trial in open.contains { $0.ends == trial } }
      // Accounts that come to the same times do not contradict each other.
      let isClear = open.allSatisfy { $0.disagreement(with: best) < largestDisagreement }
      let model = best.fit.model
      let isReliable = isClear && isTypical(model.homeTurn) && isTypical(model.farTurn)
      for (place, index) in best.rows.enumerated() {
        let rep = best.fit.model.reps[place]
        guard rep.begin < rep.arrival, rep.arrival <= rep.departure, rep.departure < rep.end
        else {
          phases[index]?.errors = nil
          continue
        }
        phases[index]?.out = rep.begin...rep.arrival
        phases[index]?.back = rep.departure...rep.end
        phases[index]?.relativeTravel = rep.range
        phases[index]?.errors = isReliable ? best.fit.errors[place] : nil
      }
      mergeTurnarounds(&phases)
      starts = [phases]
    }
    return phases
  }

  /// Every rep's way out in its first half, and its way back in the second.
  private static func halves(
    _ phases: [MovementPhases?], _ track: MovementTrack, _ motion: AlignedMotion
  ) -> [MovementPhases?] {
    zip(phases, track.reps).map { phase, rows in
      guard var phase else { return nil }
      let (start, end) = (motion.time(rows.lowerBound), motion.time(rows.upperBound))
      phase.out = start...((start + end) / 2)
      phase.back = ((start + end) / 2)...end
      return phase
    }
  }

  private static func isTypical(_ turn: Double) -> Bool {
    [false, true].contains {
      (turn - MovementModel.typicalTurn($0)).magnitude < largestTurnDeviation
    }
  }

  private struct Ends: Equatable {
    var turnsAtHome: Bool
    var turnsAtFarEnd: Bool
  }

  private struct Explanation {
    var ends: Ends
    var fit: MovementModel.Fit
    /// Indices of the reps that the model's reps are.
    var rows: [Int]
    var deviance: Double

    /// The typical difference of the longer of both phases' times, in seconds.
    func disagreement(with other: Explanation) -> Double {
      guard rows == other.rows else { return .infinity }
      let differences = zip(fit.model.reps, other.fit.model.reps).map { a, b in
        max(
          ((a.arrival - a.begin) - (b.arrival - b.begin)).magnitude,
          ((a.end - a.departure) - (b.end - b.departure)).magnitude)
      }
      return median(of: differences) ?? 0
    }
  }

  private static func explanation(
    of phases: [MovementPhases?], _ signals: MovementModel.Signals, ends: Ends, _ pass: Pass
  ) -> Explanation? {
    var spans: [ClosedRange<Double>] = []
    var firstValues: [MovementModel.Rep] = []
    var rows: [Int] = []
    for (index, phase) in phases.enumerated() {
      guard let phase else { continue }
      let before = index > 0 ? phases[index - 1]?.back.upperBound : nil
      let after = index + 1 < phases.count ? phases[index + 1]?.out.lowerBound : nil
      let low = phase.out.lowerBound - pad(before.map { phase.out.lowerBound - $0 })
      let high = phase.back.upperBound + pad(after.map { $0 - phase.back.upperBound })
      guard low < high else { continue }
      var values = SIMD16<Double>()
      values[0] = phase.out.lowerBound
      values[1] = phase.out.upperBound
      values[2] = phase.back.lowerBound
      values[3] = phase.back.upperBound
      values[MovementModel.Rep.rangeIndex] = 1
      spans.append(low...high)
      firstValues.append(
        MovementModel.Rep(
          values: values,
          restsBefore: before.map { phase.out.lowerBound - $0 > clearRest } ?? true,
          restsAfter: after.map { $0 - phase.back.upperBound > clearRest } ?? true))
      rows.append(index)
    }
    // Where every rep comes out of a rest and ends in one, a turn at home changes nothing.
    if ends.turnsAtHome, firstValues.allSatisfy({ $0.restsBefore && $0.restsAfter }) { return nil }
    let found = signals.windows(spans, intervals: pass.intervals)
    let usable = found.windows.indices.filter { found.windows[$0] != nil }
    guard
      let fit = MovementModel.fitted(
        usable.compactMap { found.windows[$0] }, rotations: found.rotations,
        initial: usable.map { firstValues[$0] }, turnsAtHome: ends.turnsAtHome,
        turnsAtFarEnd: ends.turnsAtFarEnd, iterations: pass.iterations)
    else { return nil }
    // A rest at the turnaround has one time more for every rep.
    let deviance = fit.deviance + (ends.turnsAtFarEnd ? 0 : 4 * Double(usable.count))
    return Explanation(ends: ends, fit: fit, rows: usable.map { rows[$0] }, deviance: deviance)
  }

  /// Seconds of a rest at home that is no turn, even in a set that otherwise turns around there.
  private static let clearRest = 0.4

  /// Seconds looked at beside a rep: half of the rest up to its neighbour.
  private static func pad(_ rest: Double?) -> Double { min(max((rest ?? 1) / 2, 0.06), 0.5) }
}
