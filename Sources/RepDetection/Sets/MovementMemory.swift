import SignalProcessing

/// The movements of the sets that were finalized in a recording.
///
/// In a workout the same movement comes again: what resembles an earlier set is a set already when
/// it is short, and what resembles none of them must be a better set than otherwise. Causal: a
/// set is judged by what came before it. Bounded: at most
/// ``DetectorConfiguration/memoryCapacity`` movements of about 1 KB.
struct MovementMemory: Sendable, Codable {
  private var templates: [MovementTemplate] = []
  /// Whether a set of this recording is remembered, not only what the caller knows.
  private(set) var hasLearned = false

  /// Bytes that are held: shapes, projections and similarities.
  var byteCount: Int {
    templates.reduce(0) {
      $0 + MemoryLayout<MovementTemplate>.stride + $1.byteCount
    }
  }

  var isEmpty: Bool { templates.isEmpty }

  /// Begins with what the caller knows of earlier workouts.
  init(configuration: DetectorConfiguration) {
    templates = configuration.hints.patterns.suffix(max(configuration.memoryCapacity, 0))
      .compactMap { MovementTemplate($0, configuration: configuration) }
  }

  /// Remembers the movement of a set if the set is long and even enough to be sure of.
  mutating func learn(
    _ run: RepRun, in buffer: FrameStore, configuration: DetectorConfiguration
  ) {
    guard
      run.reps.count >= configuration.rememberedReps,
      run.meanSimilarity >= configuration.rememberedSimilarity,
      let template = run.template, configuration.memoryCapacity > 0
    else { return }
    hasLearned = true
    if let known = index(of: run, in: buffer, configuration: configuration) {
      if template.weight > templates[known].weight { templates[known] = template }
      return
    }
    if templates.count >= configuration.memoryCapacity { templates.removeFirst() }
    templates.append(template)
  }

  /// Whether a set is of a movement that is remembered.
  func recognises(
    _ run: RepRun, in buffer: FrameStore, configuration: DetectorConfiguration
  ) -> Bool {
    index(of: run, in: buffer, configuration: configuration) != nil
  }

  private func index(
    of run: RepRun, in buffer: FrameStore, configuration: DetectorConfiguration
  ) -> Int? {
    templates.firstIndex {
      $0.recognises(run.reps, period: run.period, in: buffer, configuration: configuration)
    }
  }

  /// Runs of reps of remembered movements that lie in `rows`, apart from `known` sets.
  ///
  /// - Parameters:
  ///   - current: the movement of the set that is open, where there is one.
  ///   - isOver: whether a run that ended at this time can have no further rep.
  func recalled(
    in buffer: FrameStore, rows: Range<Int>, of current: MovementTemplate?,
    besides known: [RepRun],
    configuration: DetectorConfiguration, isOver: (_ end: Double, _ period: Double) -> Bool
  ) -> [RepRun] {
    var result: [RepRun] = []
    let window = buffer[rows]
    for template in [current].compactMap({ $0 }) + templates {
      result += recalledRuns(
        of: template, in: window, besides: known + result, configuration: configuration
      ).filter { run in run.reps.last.map { isOver($0.end, run.period) } ?? false }
    }
    return result
  }

  /// Runs of what resembles a rep of a movement, however long.
  func runs(
    of template: MovementTemplate, in window: TimedFrames, besides known: [RepRun],
    configuration: DetectorConfiguration
  ) -> [[MovementTemplate.Match]] {
    guard let origin = window.times.first else { return [] }
    let overlap = 0.25 * template.period
    let good = template.matches(in: window.frames[...], configuration: configuration).filter {
      match in
      match.similarity >= configuration.recalledRepSimilarity
        && configuration.recalledEnergy.contains(match.energy)
        && match.isInPosture(configuration)
        && known.allSatisfy { run in
          guard let first = run.reps.first, let last = run.reps.last else { return true }
          return origin + match.end <= first.start + overlap
            || origin + match.start >= last.end - overlap
        }
    }
    var runs: [[MovementTemplate.Match]] = []
    for match in good {
      if let last = runs.last?.last,
        match.start - last.end <= configuration.pauseInPeriods * template.period
      {
        runs[runs.count - 1].append(match)
      } else {
        runs.append([match])
      }
    }
    return runs
  }

  private func recalledRuns(
    of template: MovementTemplate, in window: TimedFrames, besides known: [RepRun],
    configuration: DetectorConfiguration
  ) -> [RepRun] {
    runs(of: template, in: window, besides: known, configuration: configuration).compactMap {
      run in
      guard run.count >= 2 else { return nil }
      let segmentation = Segmentation(
        framesPerStep: template.framesPerStep, segments: run.map(\.segment),
        similarities: run.map(\.similarity))
      guard segmentation.meanSimilarity >= configuration.recalledRunSimilarity else { return nil }
      return RepRun(recalled: segmentation, of: template, in: window)
    }
  }
}
