import SignalProcessing

/// The movements of the sets that were settled in a recording.
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
    _ run: SettledRun, in buffer: FrameStore, configuration: DetectorConfiguration
  ) {
    let needed =
      run.period < configuration.fastPeriodSeconds
      ? configuration.fastRememberedSimilarity : configuration.rememberedSimilarity
    guard
      run.reps.count >= configuration.rememberedReps, run.meanSimilarity >= Float(needed),
      run.reps.reduce(0, { $0 + $1.end - $1.start }) >= configuration.rememberedSeconds,
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
    _ run: SettledRun, in buffer: FrameStore, configuration: DetectorConfiguration
  ) -> Bool {
    index(of: run, in: buffer, configuration: configuration) != nil
  }

  private func index(
    of run: SettledRun, in buffer: FrameStore, configuration: DetectorConfiguration
  ) -> Int? {
    templates.firstIndex {
      $0.recognises(run.reps, period: run.period, in: buffer, configuration: configuration)
    }
  }

  /// Rows of reps of remembered movements that lie in `rows`, apart from `known` sets.
  ///
  /// - Parameters:
  ///   - current: the movement of the set that is open, where there is one.
  ///   - alone: whether no other is looked for.
  ///   - isOver: whether a row that ended at this time can have no further rep.
  func recalled(
    in buffer: FrameStore, rows: Range<Int>, of current: MovementTemplate?,
    alone: Bool = false, besides known: [SettledRun],
    configuration: DetectorConfiguration, isOver: (_ end: Double, _ period: Double) -> Bool
  ) -> [SettledRun] {
    var result: [SettledRun] = []
    let stretch = buffer[rows]
    for template in [current].compactMap({ $0 }) + (alone ? [] : templates) {
      result += bursts(
        of: template, in: stretch, besides: known + result, configuration: configuration
      ).filter { run in run.reps.last.map { isOver($0.end, run.period) } ?? false }
    }
    return result
  }

  /// Rows of what resembles a rep of a movement, however long.
  func rows(
    of template: MovementTemplate, in stretch: TimedFrames, besides known: [SettledRun],
    configuration: DetectorConfiguration
  ) -> [[MovementTemplate.Match]] {
    guard let origin = stretch.times.first else { return [] }
    let overlap = 0.25 * template.period
    let good = template.matches(in: stretch.frames[...], configuration: configuration).filter {
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
    var rows: [[MovementTemplate.Match]] = []
    for match in good {
      if let last = rows.last?.last,
        match.start - last.end <= configuration.pauseInPeriods * template.period
      {
        rows[rows.count - 1].append(match)
      } else {
        rows.append([match])
      }
    }
    return rows
  }

  private func bursts(
    of template: MovementTemplate, in stretch: TimedFrames, besides known: [SettledRun],
    configuration: DetectorConfiguration
  ) -> [SettledRun] {
    rows(of: template, in: stretch, besides: known, configuration: configuration).compactMap {
      row in
      var row = row
      while row.count >= 2 {
        let typical = min(template.similarity, median(row.map(\.similarity)))
        let least = configuration.recalledEdgeSimilarity * typical
        if row[0].similarity < least {
          row.removeFirst()
        } else if row[row.count - 1].similarity < least {
          row.removeLast()
        } else {
          break
        }
      }
      guard row.count >= 2 else { return nil }
      let reading = Segmentation(
        framesPerStep: template.framesPerStep, segments: row.map(\.segment),
        similarities: row.map(\.similarity))
      let needed =
        row.count == 2
        ? configuration.recalledPairSimilarity : configuration.recalledRowSimilarity
      guard reading.meanSimilarity >= needed else { return nil }
      return SettledRun(recalled: reading, of: template, in: stretch)
    }
  }
}
