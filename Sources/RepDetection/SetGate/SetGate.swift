import Motion
import SignalProcessing

/// Distinguishes sets from other repeated movements: a logistic regression on features of a run of reps
/// (docs/counter.md).
struct SetGate: Sendable, Codable {
  /// Names of the features, in the order of the weights.
  static let names = [
    "bias", "qmean", "paused", "fast", "reach", "irregular", "gait", "kin",
  ]
  private static let capacity = 8

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
    /// Whether a gyroscope measured rotation.
    var isTurningMeasured: Bool
    /// Signature of the reps.
    var signature: Signature
    /// Begin of the first rep and end of the last, in seconds.
    var span: ClosedRange<Double>

    fileprivate var period: Float { signature.period }

    /// ln of the evenness of the turning, for a run of two or three movements: a person who drinks rests
    /// between sips. Weighted more for fewer movements; 0 from four on.
    fileprivate var pausing: Float {
      max(0, Math.log(4 / Float(max(count, 1)))) * Math.log(max(motion.evenness, 1e-3))
    }

    /// Path of the wrist in a rep, in metres: by the forearm's turn, and by its bounce.
    fileprivate var travel: Float {
      let radius = period / (2 * Float.pi)
      return 0.3 * swing + 9.81 * motion.bounceG * radius * radius
    }

    /// ln of the travel, clipped at 0.2 m: more is no further evidence, and may be an error of the bounce.
    fileprivate var reach: Float { Math.log(min(travel, 0.2) + 0.01) }

    /// Similarity to walking, at one or two strides per movement, 0 to 1. Without a gyroscope the swing of the
    /// forearm is unknown, so small movements at a walker's pace count as walking, too.
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

  /// Features that recognise a movement: tempo, speed and posture.
  struct Signature: Sendable, Codable {
    /// Period of the median rep, in seconds.
    var period: Float
    /// Mean angular speed, in rad/s.
    var speed: Float
    /// Direction half way between the postures at begin and turnaround, unit length.
    var posture: SIMD4<Float>

    /// Returns the similarity of two movements, 0 to 1.
    fileprivate func similarity(to other: Signature) -> Float {
      let angle = Math.angle(posture, other.posture) / (20 * Float.pi / 180)
      let tempo = Math.log(period / other.period) / 0.3
      let pace = (Math.log(speed + 1e-3) - Math.log(other.speed + 1e-3)) / 0.5
      return Math.bell((angle * angle + tempo * tempo + pace * pace).squareRoot())
    }
  }

  private struct JudgedRun: Sendable, Codable {
    var signature: Signature
    /// Time of the run, in seconds; nil if it was in an earlier workout.
    var span: ClosedRange<Double>?
    var probability: Float
  }

  /// Signatures of the caller's known sets of earlier workouts.
  private let known: [JudgedRun]
  /// The last judged runs, sets or not, with the probability that each by itself is a set.
  private var judgedRuns: [JudgedRun] = []
  private let weights: [Float]
  /// Odds multiplier for a movement that resembles nothing known.
  private let unknownOdds: Double

  init(_ configuration: DetectorConfiguration) {
    weights = configuration.weights.gate
    known = configuration.hints.patterns.compactMap { pattern in
      Signature(pattern).map {
        JudgedRun(signature: $0, span: nil, probability: Float(pattern.similarity))
      }
    }
    unknownOdds = known.isEmpty ? 1 : configuration.unknownMovementOdds
  }

  /// Returns the probability that a run of reps is a set, given the other noted runs.
  @inline(never)
  func probability(of run: Figures) -> Double {
    func similarity(to others: [JudgedRun]) -> Float {
      others.reduce(0) {
        // A run is no evidence for itself.
        $1.span?.overlaps(run.span) == true
          ? $0 : max($0, $1.probability * run.signature.similarity(to: $1.signature))
      }
    }
    let toKnown = similarity(to: known)
    let probability = probability(
      run, similarity: max(toKnown, similarity(to: judgedRuns)), gait: run.gait)
    return Self.probability(
      probability, timesOdds: unknownOdds + (1 - unknownOdds) * Double(toKnown))
  }

  /// Returns the probability after its odds are multiplied by a factor.
  static func probability(_ probability: Double, timesOdds odds: Double) -> Double {
    odds * probability / (1 + (odds - 1) * probability)
  }

  /// True if a run would be a set but for its similarity to walking.
  func isWalking(_ run: Figures, threshold: Double) -> Bool {
    probability(of: run) < threshold && probability(run, similarity: 0, gait: 0) >= threshold
  }

  /// Notes a run, for judging others.
  mutating func note(_ run: Figures) {
    if judgedRuns.count == Self.capacity { judgedRuns.removeFirst() }
    judgedRuns.append(
      JudgedRun(
        signature: run.signature, span: run.span,
        probability: Float(probability(run, similarity: 0, gait: run.gait))))
  }

  private func probability(_ run: Figures, similarity: Float, gait: Float) -> Double {
    let figures = [
      1, run.similarityScore, run.pausing, max(0, Math.log(0.8 / run.period)),
      run.reach, run.irregularity, gait, similarity,
    ]
    return Math.logistic(Double(zip(weights, figures).reduce(0) { $0 + $1.0 * $1.1 }))
  }
}

extension SetGate.Figures {
  /// - Parameters:
  ///   - segments: the segments of a run of reps, on a grid of `framesPerStep` frames.
  ///   - similarities: similarity of each rep to the others.
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
  /// Signature of the mean rep of an earlier set; nil if it has no sensible duration.
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
