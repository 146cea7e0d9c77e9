import Motion
import SignalProcessing

extension MovementPhases {
  /// A stage of the search: a coarse fit of all explanations, then a finer fit of the plausible ones.
  private struct Pass {
    var intervals: Int
    var iterations: Int
    /// Largest deviance above the best explanation's at which an explanation is still plausible.
    var margin: Double

    static let first = Pass(intervals: 30, iterations: 8, margin: 150)
    static let close = Pass(intervals: 60, iterations: 12, margin: 100)
  }

  /// Largest deviation of a turn parameter from a harmonic oscillation or a full stop. If the best fit lies
  /// in between, the set's times are unknown.
  private static let largestTurnDeviation = 0.4

  /// Largest difference in a typical phase between explanations that fit equally well, in seconds.
  private static let largestDisagreement = 0.04

  /// Returns the phases of all reps, refined by a ``MovementModel`` of the whole set if one can be fitted.
  ///
  /// Tries whether the movement rests or turns at both ends, then repeats the fit from the improved times.
  static func modeled(
    _ first: [MovementPhases?], track: MovementTrack, in motion: AlignedMotion
  ) -> [MovementPhases?] {
    guard let orientation = track.orientation,
      let signals = MovementModel.Signals(motion, orientation: orientation)
    else { return first }
    var phases = first
    // Displacement is integrated from the reps' begins, so also try starting from halved reps.
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
      // Explanations with the same times do not contradict each other.
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

  /// Returns phases in which every rep goes out in its first half and back in the second.
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
    /// Indices of the set's reps that the model contains.
    var rows: [Int]
    var deviance: Double

    /// Returns the typical difference of the longer phase's time, in seconds.
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
    // If every rep begins and ends in a rest, a turn at home has no effect.
    if ends.turnsAtHome, firstValues.allSatisfy({ $0.restsBefore && $0.restsAfter }) { return nil }
    let found = signals.windows(spans, intervals: pass.intervals)
    let usable = found.windows.indices.filter { found.windows[$0] != nil }
    guard
      let fit = MovementModel.fitted(
        usable.compactMap { found.windows[$0] }, rotations: found.rotations,
        initial: usable.map { firstValues[$0] }, turnsAtHome: ends.turnsAtHome,
        turnsAtFarEnd: ends.turnsAtFarEnd, iterations: pass.iterations)
    else { return nil }
    // A rest at the turnaround adds one parameter for every rep.
    let deviance = fit.deviance + (ends.turnsAtFarEnd ? 0 : 4 * Double(usable.count))
    return Explanation(ends: ends, fit: fit, rows: usable.map { rows[$0] }, deviance: deviance)
  }

  /// Rest at home, in seconds, that is never a turn, even in a set that otherwise turns around there.
  private static let clearRest = 0.4

  /// Returns the margin beside a rep that is included, in seconds: half of the rest up to its neighbor.
  private static func pad(_ rest: Double?) -> Double { min(max((rest ?? 1) / 2, 0.06), 0.5) }
}
