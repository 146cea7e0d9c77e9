import Foundation
import Motion
import MotionSynthesis
import TestSupport
import Testing

@testable import MovementAnalysis
@testable import RepDetection
@testable import SignalProcessing

/// The analysis of synthetic people: tremor, a loose strap, sticking points, skewed speeds.
///
/// With `REPTRACE_FULL=1`, tests many more sets and prints a line of figures per family.
@Suite struct SyntheticArmTests {
  @Test(arguments: ExerciseFamily.allCases)
  func figuresAreAccurateOrAbsent(_ family: ExerciseFamily) throws {
    var errors = ArmErrors()
    for seed in 1...(isFullRun ? 60 : 14) as ClosedRange<UInt64> {
      let synthetic = try RecordingSynthesizer(
        SynthesisOptions(seed: seed, exercise: family, sets: 1)
      ).make()
      for set in synthetic.truth { errors.add(set, of: synthetic) }
    }
    if isFullRun { print(errors.line(family.rawValue)) }
    #expect(errors.correlations.min() ?? 0 > (isFullRun ? 0.93 : 0.95))
    #expect(errors.correlations.count(where: { $0 > 0.95 }) * 100 >= errors.correlations.count * 98)
    #expect(errors.range.share(within: 5) >= 0.99)
    for times in [errors.concentric, errors.eccentric, errors.farPause, errors.pauseAfter] {
      // Hard case: pull-ups, in which the body moves and the hand hardly does. 92 of 100 pauses in 60 sets.
      #expect(times.share(within: 0.1) >= (isFullRun ? 0.92 : 0.94))
      #expect(times.median < 0.03)
    }
    #expect(errors.velocityLoss.share(within: 5) >= 0.9)
    #expect(errors.velocityLoss.median < 4)
    // Figures that are always absent would never be wrong.
    #expect(errors.concentric.part > 0.3)
    #expect(errors.eccentric.part > 0.2)
    #expect(errors.range.part > 0)
    #expect(errors.farPause.part > 0)
    #expect(errors.pauseAfter.part > 0)
    #expect(errors.velocityLoss.values.count > 0)
  }
}

/// The errors of the analysis.
private struct ArmErrors {
  struct Figure {
    var values: [Double] = []
    var absent = 0

    mutating func add(_ value: Double?, _ truth: Double) {
      if let value { values.append(abs(value - truth)) } else { absent += 1 }
    }

    func share(within limit: Double) -> Double {
      values.isEmpty ? 1 : Double(values.count { $0 < limit }) / Double(values.count)
    }

    func quantile(_ share: Double) -> Double {
      let sorted = values.sorted()
      return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    var median: Double { quantile(0.5) }

    /// Fraction of sets or reps for which the figure is known.
    var part: Double { Double(values.count) / Double(max(1, values.count + absent)) }

    func text(_ format: String) -> String {
      let given = 100 * values.count / max(1, values.count + absent)
      return String(format: "\(format) \(format) (%d %%)", median, quantile(0.95), given)
    }
  }

  var range = Figure()
  var concentric = Figure()
  var eccentric = Figure()
  var farPause = Figure()
  var pauseAfter = Figure()
  var velocityLoss = Figure()
  var correlations: [Double] = []

  /// Analyzes a set whose reps are known.
  mutating func add(_ truth: TrueSet, of synthetic: SyntheticRecording) {
    let family = truth.exercise
    let set = CountedSet(
      cause: .declared, start: truth.start, end: truth.end,
      reps: truth.reps.map { CountedRep(start: $0.start, end: $0.end, confidence: 1) },
      confidence: 1)
    let analysis = SetAnalyzer.analyze(
      set, samples: synthetic.recording.samples,
      configuration: AnalysisConfiguration(
        phaseOrder: family.startsConcentric ? .concentricFirst : .eccentricFirst))
    // The joints' speed: their fraction of the exercise's way per time.
    let speeds = truth.reps.map { $0.range / $0.phaseTimes(of: family).concentric }
    if let best = speeds.max(), let last = speeds.last {
      velocityLoss.add(analysis.fatigue?.velocityLoss, 100 * (best - last) / best)
    }
    for (index, (rep, known)) in zip(analysis.reps, truth.reps).enumerated() {
      let phases = known.phaseTimes(of: family)
      range.add(rep.rangeOfMotion, known.rotationDegrees)
      concentric.add(rep.concentricTime, phases.concentric)
      eccentric.add(rep.eccentricTime, phases.eccentric)
      farPause.add(rep.farPause, known.backStart - known.outEnd)
      if index + 1 < truth.reps.count {
        pauseAfter.add(rep.pauseAfter, truth.reps[index + 1].outStart - known.backEnd)
      }
    }
    guard let curve = analysis.curve else { return correlations.append(0) }
    let times = synthetic.recording.samples.times
    let movement = synthetic.movement
    var pairs: [(Double, Double)] = []
    var row = 0
    for point in curve.points {
      while row < times.count - 1, times[row] < set.start + point.time { row += 1 }
      if movement[row].isFinite { pairs.append((point.movement, movement[row])) }
    }
    correlations.append(correlation(pairs.map(\.0), pairs.map(\.1)))
  }

  /// Returns median, 95th percentile and known fraction of each figure.
  func line(_ family: String) -> String {
    "| \(family) | \(range.text("%.1f")) | \(concentric.text("%.2f")) | "
      + "\(eccentric.text("%.2f")) | \(farPause.text("%.2f")) | \(pauseAfter.text("%.2f")) | "
      + "\(velocityLoss.text("%.1f")) | \(String(format: "%.3f", correlations.min() ?? 0)) |"
  }
}
