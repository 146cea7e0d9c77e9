import Motion
import MotionFrames
import SignalProcessing
import TemplateSearch

/// Distinguishes sets from other repeated movements: a logistic regression on features of a run of reps
/// (docs/counter.md).
struct SetGate: Sendable, Codable {
  /// Names of the features, in the order of the weights.
  static let names = [
    "bias", "qmean", "paused", "reach", "irregular", "gait", "posture_beside", "move_beside",
    "step_peak", "pause_max",
  ]
  /// Values for a run without a recorded side (`BESIDE` in tools/counter_fit.py).
  private static let typicalPostureBeside: Float = 0.54
  private static let typicalMoveBeside: Float = 0.57

  /// Features of a run of reps.
  struct Figures: Sendable, Codable {
    /// −ln(1.02 − mean similarity).
    var similarityScore: Float
    var count: Int
    /// Standard deviation of the reps' ln duration.
    var irregularity: Float
    /// Angle between the postures at begin and turnaround, in radians.
    var swing: Float
    /// The forearm's posture, turning and bouncing.
    var motion: ForearmMotion
    /// Similarity of the bouncing in the two halves of a rep, 0 to 1: a walker bounces twice while the arm
    /// swings once.
    var steps: Float
    /// True if a gyroscope measured rotation.
    var isTurningMeasured: Bool
    /// The signature of the reps.
    var signature: Signature
    /// Begin of the first rep and end of the last, in seconds.
    var span: ClosedRange<Double>
    /// Longest pause between two reps, in periods.
    var longestPause: Float
    /// Fraction of the vertical acceleration's power at the frequency of steps, 0 to 1 (``StepSpectrum``).
    var stepPeak: Float
    /// Posture and motion of the run.
    var level: MotionLevel
    /// Posture and motion beside the run.
    var surroundings = Surroundings()
    /// Similarity to another bout of an accepted set, 0 to 1.
    var boutSimilarity: Float = 0

    fileprivate var period: Float { signature.period }

    private var sides: [MotionLevel] {
      [surroundings.before, surroundings.after].compactMap { $0 }
    }

    /// Angle between the mean postures in the run and beside it, in radians; the mean over the known sides.
    var postureBeside: Float? {
      guard !sides.isEmpty else { return nil }
      return sides.reduce(0) { $0 + level.angle(to: $1) } / Float(sides.count)
    }

    /// Absolute ln ratio of the motion beside the run to that in it; the mean over the known sides.
    var moveBeside: Float? {
      guard !sides.isEmpty else { return nil }
      return (sides.reduce(0) { $0 + $1.excess(over: level) } / Float(sides.count)).magnitude
    }

    /// ln of the evenness of the turning, for a run of two or three movements: a person who drinks rests
    /// between sips. Has more weight for fewer movements; 0 for four or more.
    fileprivate var pausing: Float {
      max(0, Math.log(4 / Float(max(count, 1)))) * Math.log(max(motion.evenness, 1e-3))
    }

    /// Path of the wrist in a rep, in meters, from the forearm's turn and its bounce.
    fileprivate var travel: Float {
      let radius = period / (2 * Float.pi)
      return 0.3 * swing + 9.81 * motion.bounceG * radius * radius
    }

    /// ln of the travel, clamped to 0.2 m: more is no further evidence, and may be an error of the bounce.
    fileprivate var reach: Float { Math.log(min(travel, 0.2) + 0.01) }

    /// Similarity to walking, at one or two strides per movement, 0 to 1. Without a gyroscope the swing of
    /// the forearm is unknown, so small movements at a walker's pace also count as walking.
    fileprivate var gait: Float {
      guard isTurningMeasured else {
        let strides = max(ForearmMotion.stride(period), ForearmMotion.stride(period / 2))
        let share = travel / 0.12
        return max(
          strides * motion.steadiness * motion.steadiness * steps,
          max(ForearmMotion.stride(period), ForearmMotion.stride(2 * period))
            / (1 + share * share * share * share))
      }
      return max(motion.gait(period: period), motion.gait(period: period / 2)) * steps
    }
  }

  /// Features by which a movement is recognized: tempo, speed and posture.
  struct Signature: Sendable, Codable {
    /// Period of the median rep, in seconds.
    var period: Float
    /// Mean angular speed, in rad/s.
    var speed: Float
    /// Direction half way between the postures at begin and turnaround, unit length.
    var posture: SIMD4<Float>

    /// Returns the similarity of two movements, 0 to 1.
    func similarity(to other: Signature) -> Float {
      let angle = Math.angle(posture, other.posture) / (20 * Float.pi / 180)
      let tempo = Math.log(period / other.period) / 0.3
      let pace = (Math.log(speed + 1e-3) - Math.log(other.speed + 1e-3)) / 0.5
      return Math.bell((angle * angle + tempo * tempo + pace * pace).squareRoot())
    }
  }

  /// A movement of an earlier workout.
  private struct KnownSignature: Sendable, Codable {
    var signature: Signature
    /// Mean similarity of its reps.
    var similarity: Float
  }

  /// The caller's known movements of earlier workouts.
  private let known: [KnownSignature]
  private let weights: [Float]
  /// Odds multiplier for a movement that equals a known one.
  private let knownOdds: Double
  /// Prior ln odds that a repeated movement is a set.
  private let priorLogOdds: Double

  init(_ configuration: DetectorConfiguration) {
    weights = configuration.weights.gate
    let prior = min(max(configuration.setPrior, 1e-9), 1 - 1e-9)
    priorLogOdds = Math.log(prior / (1 - prior))
    known = configuration.hints.patterns.compactMap { pattern in
      Signature(pattern).map {
        KnownSignature(signature: $0, similarity: Float(pattern.similarity))
      }
    }
    knownOdds = configuration.expectationOdds
  }

  /// Returns the probability that a run of reps is a set.
  @inline(never)
  func probability(of run: Figures) -> Double {
    let similarity = known.reduce(run.boutSimilarity) {
      max($0, $1.similarity * run.signature.similarity(to: $1.signature))
    }
    return Self.probability(
      Math.logistic(score(run, gait: run.gait, stepPeak: run.stepPeak) + priorLogOdds),
      timesOdds: 1 + (knownOdds - 1) * Double(similarity))
  }

  /// Returns the probability after its odds are multiplied by a factor.
  static func probability(_ probability: Double, timesOdds odds: Double) -> Double {
    odds * probability / (1 + (odds - 1) * probability)
  }

  /// Returns true if a run fails to be a set only because of its similarity to walking.
  func isWalking(_ run: Figures, threshold: Double) -> Bool {
    probability(of: run) < threshold
      && Math.logistic(score(run, gait: 0, stepPeak: 0) + priorLogOdds) >= threshold
  }

  /// Returns the ln odds that a run is a set, assuming that sets are as frequent as other movements.
  private func score(_ run: Figures, gait: Float, stepPeak: Float) -> Double {
    let figures = [
      1, run.similarityScore, run.pausing, run.reach, run.irregularity, gait,
      run.postureBeside ?? Self.typicalPostureBeside,
      min(run.moveBeside ?? Self.typicalMoveBeside, 2.4), stepPeak, min(run.longestPause, 6.5),
    ]
    return Double(zip(weights, figures).reduce(Float(0)) { $0 + $1.0 * $1.1 })
  }
}

extension SetGate.Figures {
  /// - Parameters:
  ///   - segments: The segments of a run of reps, on a grid of `framesPerStep` frames.
  ///   - similarities: Similarity of each rep to the others.
  init(
    _ segments: [Segment], framesPerStep: Int, similarities: [Float], in window: TimedFrames
  ) {
    let last = max(window.count - 1, 0)
    func frame(_ step: Double) -> Int {
      Math.integer(
        PhaseGrid.frame(ofStep: step, framesPerStep: framesPerStep).rounded(), clampedTo: 0...last)
    }
    func medianGravity(_ steps: [Double]) -> SIMD4<Float> {
      let directions = steps.map { window.frames[frame($0)].gravity }
      return SIMD4(
        median(directions.map { $0.x }), median(directions.map { $0.y }),
        median(directions.map { $0.z }), 0)
    }
    count = segments.count
    let n = Float(max(count, 1))
    similarityScore = -Math.log(1.02 - min(similarities.reduce(0, +) / n, 1))
    let frameCount = median(segments) { $0.length } * Double(framesPerStep)
    let period = max(Float(frameCount / FrontEnd.frameRateHz), 0.05)
    let logs = segments.map { Math.log(Float(max($0.length, 0.1))) }
    let mean = logs.reduce(0, +) / n
    irregularity = (logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / n).squareRoot()
    let home = medianGravity(segments.map { $0.start })
    let far = medianGravity(segments.map { ($0.start + $0.end) / 2 })
    swing = Math.angle(home, far)
    let middle = home + far
    let rows =
      frame(segments.first?.start ?? 0)...frame(segments.last?.end ?? segments.first?.start ?? 0)
    let frames = window.frames[rows]
    // The clock may have been set back.
    let (begin, end) = (window.times[rows.lowerBound], window.times[rows.upperBound])
    span = min(begin, end)...max(begin, end)
    motion = ForearmMotion(frames)
    signature = SetGate.Signature(
      period: period, speed: motion.speedRadPerS,
      posture: middle / max((middle * middle).sum().squareRoot(), 1e-9))
    level = MotionLevel(frames)
    stepPeak = StepSpectrum.peakFraction(frames)
    let pauses = zip(segments, segments.dropFirst()).map { $1.start - $0.end }
    longestPause = Float((pauses.max() ?? 0) / max(median(segments) { $0.length }, 1e-3))
    let vertical = frames.map { $0.verticalAcceleration }
    let level = vertical.reduce(0, +) / Float(frames.count)
    let offsets = vertical.map { $0 - level }
    let variance = motion.bounceG * motion.bounceG
    let half = Int((period / 2 * Float(FrontEnd.frameRateHz)).rounded())
    let shared = zip(offsets, offsets.dropFirst(half)).reduce(0) { $0 + $1.0 * $1.1 }
    steps = min(max(shared / Float(max(offsets.count - half, 1)) / max(variance, 1e-9), 0), 1)
    isTurningMeasured = window.measuredRotationFraction > 0.5
  }
}

extension SetGate.Signature {
  /// Computes the signature of an earlier set's mean rep; nil if its duration is implausible.
  fileprivate init?(_ pattern: MovementPattern) {
    let phases = pattern.phases
    guard let home = phases.first, pattern.durationSeconds > 0.05 else { return nil }
    let middle = SIMD4(home.gravity + phases[phases.count / 2].gravity, 0)
    period = Float(pattern.durationSeconds)
    speed =
      phases.reduce(0) { $0 + ($1.rotation * $1.rotation).sum().squareRoot() }
      / Float(phases.count)
    posture = middle / max((middle * middle).sum().squareRoot(), 1e-9)
  }
}
