/// Finds sets in a running signal (step 9): every two seconds the last ten and the last
/// twenty-four are searched for a row of similar movements; a row that goes on is a set, and when
/// nothing of it was seen for a while it is settled.
struct SetFinder: Sendable {
  /// What a look at the signal led to.
  enum Outcome: Sendable {
    case none
    case started(Double)
    case ended([SettledRun])
  }

  private let configuration: DetectorConfiguration
  private var buffer = TimedFrames()
  private var framesUntilLook: Int
  private var active: ActiveSet?
  /// End of the previous set's last rep, s.
  private var previousEnd = -Double.infinity

  private struct ActiveSet: Sendable {
    var start: Double
    var end: Double
    var period: Double
  }

  init(configuration: DetectorConfiguration) {
    self.configuration = configuration
    framesUntilLook = Self.hopFrames(configuration)
  }

  private static func hopFrames(_ configuration: DetectorConfiguration) -> Int {
    Math.integer(configuration.hopSeconds * FrontEnd.frameRateHz, clampedTo: 1...10_000)
  }

  var isActive: Bool { active != nil }

  mutating func append(_ frame: TimedFrame) -> Outcome {
    var outcome = Outcome.none
    if frame.startsAfterBreak, buffer.count > 0 {
      outcome = finish()
      buffer = TimedFrames()
      framesUntilLook = Self.hopFrames(configuration)
    }
    buffer.append(frame)
    framesUntilLook -= 1
    guard framesUntilLook <= 0 else { return outcome }
    framesUntilLook = Self.hopFrames(configuration)
    let looked = look()
    if case .none = looked { return outcome }
    return looked
  }

  /// The end of the signal.
  mutating func finish() -> Outcome {
    guard let set = active else { return .none }
    active = nil
    return .ended(settle(set))
  }

  private mutating func look() -> Outcome {
    guard let now = buffer.times.last else { return .none }
    let chain = longestChain()
    var outcome = Outcome.none
    if var set = active {
      let wait = max(
        configuration.endInPeriods * set.period, configuration.endSeconds)
      if let chain, chain.start < set.end + wait {
        set.start = min(set.start, chain.start)
        if chain.end > set.end {
          set.end = chain.end
          set.period = chain.period
        }
        active = set
      }
      if now - set.end > wait || now - set.start > configuration.longestSetSeconds {
        active = nil
        let runs = settle(set)
        outcome = .ended(runs)
      }
    } else if let chain,
      now - chain.end <= max(2 * chain.period, 4) + configuration.hopSeconds,
      chain.end > previousEnd
    {
      active = ActiveSet(start: max(chain.start, previousEnd), end: chain.end, period: chain.period)
      outcome = .started(chain.start)
    }
    forget()
    return outcome
  }

  /// Drops frames that neither a window nor the set under way can ask for.
  private mutating func forget() {
    guard let now = buffer.times.last else { return }
    var keepFrom = now - (configuration.windowsSeconds.max() ?? 24) - configuration.hopSeconds
    if let set = active {
      keepFrom = min(keepFrom, set.start - 2 * configuration.longestPeriodSeconds)
    }
    let excess = buffer.times.firstIndex { $0 >= keepFrom } ?? 0
    if excess > 250 { buffer.removeFirst(excess) }
  }

  private struct Chain {
    var start: Double
    var end: Double
    var period: Double
    var weight: Float
  }

  /// The heaviest row of similar movements in the recent signal.
  private func longestChain() -> Chain? {
    guard let now = buffer.times.last else { return nil }
    var best: Chain?
    for seconds in configuration.windowsSeconds {
      guard let first = buffer.times.firstIndex(where: { $0 > now - seconds }) else { continue }
      let frames = Array(buffer.frames[first...])
      let times = buffer.times[first]
      guard Double(frames.count) >= 0.4 * seconds * FrontEnd.frameRateHz else { continue }
      guard rotationDeviation(frames[...]) >= Float(configuration.restRotationRadPerS) else {
        continue
      }
      var search = CandidateSearch(frames, configuration: configuration)
      let guesses = search.candidates(
        longestPeriod: Double(frames.count) / FrontEnd.frameRateHz / 2.5,
        count: configuration.candidatesInWindow)
      for guess in guesses {
        let fitter = TemplateFitter(
          grid: search.grid(framesPerStep: guess.framesPerStep), configuration: configuration)
        guard let reading = fitter.refine(guess.segments, passes: 1) else { continue }
        for chain in chains(in: reading, frames: frames, origin: times)
        where chain.weight > best?.weight ?? 0 {
          best = chain
        }
      }
    }
    return best
  }

  private func chains(
    in reading: Segmentation, frames: [MotionFrame], origin: Double
  ) -> [Chain] {
    let gap = max(configuration.pauseInPeriods * reading.period, configuration.pauseSeconds)
    var runs: [Range<Int>] = []
    var begin: Int?
    for i in reading.segments.indices {
      let isGood = reading.similarities[i] >= Float(configuration.chainSimilarity)
      if isGood, let b = begin {
        let pause =
          reading.seconds(reading.segments[i].start)
          - reading.seconds(reading.segments[i - 1].end)
        if pause > gap {
          runs.append(b..<i)
          begin = i
        }
      } else if isGood {
        begin = i
      } else if let b = begin {
        runs.append(b..<i)
        begin = nil
      }
    }
    if let b = begin { runs.append(b..<reading.segments.count) }

    return runs.compactMap { range in
      guard range.count >= configuration.chainReps else { return nil }
      let run = reading.keeping(range)
      guard let first = run.segments.first, let last = run.segments.last else { return nil }
      let start = run.seconds(first.start)
      let end = run.seconds(last.end)
      guard
        end - start >= configuration.chainSeconds,
        run.meanSimilarity >= Float(configuration.chainMeanSimilarity)
      else { return nil }
      let deviations = run.segments.map {
        rotationDeviation(frames[frameRange(run.seconds($0.start), run.seconds($0.end), frames)])
      }
      guard median(deviations) >= Float(configuration.chainRotationRadPerS) else { return nil }
      return Chain(
        start: origin + start, end: origin + end, period: run.period, weight: run.score)
    }
  }

  private func frameRange(_ from: Double, _ to: Double, _ frames: [MotionFrame]) -> Range<Int> {
    let a = Math.integer(from * FrontEnd.frameRateHz, clampedTo: 0...frames.count)
    let b = Math.integer(to * FrontEnd.frameRateHz, clampedTo: 0...frames.count)
    return a..<max(a, b)
  }

  /// Settles a set that is over.
  private mutating func settle(_ set: ActiveSet) -> [SettledRun] {
    let margin = configuration.marginInPeriods * set.period
    let from = max(set.start - margin, previousEnd)
    let to = set.end + margin
    guard
      let first = buffer.times.firstIndex(where: { $0 >= from }),
      let last = buffer.times.lastIndex(where: { $0 <= to }), last > first
    else { return [] }
    let stretch = buffer[first..<(last + 1)]
    guard
      let reading = Settlement(stretch.frames, configuration: configuration).best
    else { return [] }
    let runs = SettledRun.split(
      reading, in: stretch, configuration: configuration
    ).filter { $0.isSet(configuration) }
    if let end = runs.last?.reps.last?.end { previousEnd = max(previousEnd, end) }
    return runs
  }
}

/// The standard deviation of rotation over frames, all axes together, rad/s.
func rotationDeviation(_ frames: ArraySlice<MotionFrame>) -> Float {
  guard !frames.isEmpty else { return 0 }
  var sum = SIMD4<Float>()
  var square = SIMD4<Float>()
  for f in frames {
    sum += f.rotation
    square += f.rotation * f.rotation
  }
  let n = Float(frames.count)
  let mean = sum / n
  return max(0, (square / n - mean * mean).sum()).squareRoot()
}
