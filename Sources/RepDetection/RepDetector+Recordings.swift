import Motion

extension RepDetector {
  /// Returns the sets found in a whole recording, in order. The cost is linear in the number of samples.
  ///
  /// - Parameters:
  ///   - samples: samples in order of time, in any units.
  ///   - phases: the phases that the source declared for rows of `samples`.
  public static func detectSets(
    in samples: MotionBatch, phases: [PhaseSpan] = [],
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> [CountedSet] {
    counted(samples, phases, configuration, isDeclared: false, isDiagnosed: false).sets
  }

  /// Returns the sets found in a whole recording, and the reason for each repeated movement that was not
  /// counted. Costs as much as ``detectSets(in:phases:configuration:)``.
  public static func diagnose(
    _ samples: MotionBatch, phases: [PhaseSpan] = [],
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> Diagnosis {
    let (sets, log) = counted(
      samples, phases, configuration, isDeclared: false, isDiagnosed: true)
    return Diagnosis(
      sets: sets, rejections: log.unexplained(by: sets.map { (start: $0.start, end: $0.end) }))
  }

  /// Counts a declared set like ``countSet(in:phases:configuration:)``, with the reason if it holds no rep.
  public static func diagnoseSet(
    in samples: MotionBatch, phases: [PhaseSpan] = [],
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> Diagnosis {
    let (sets, log) = counted(samples, phases, configuration, isDeclared: true, isDiagnosed: true)
    return Diagnosis(sets: sets, rejections: log.rejections)
  }

  /// Counts one declared set. The samples may include a few seconds before and after it.
  ///
  /// - Returns: exactly one set. If no rep was found, its start and end are those of the samples. Samples of
  ///   phase `rest` never count.
  public static func countSet(
    in samples: MotionBatch, phases: [PhaseSpan] = [],
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> CountedSet {
    let sets = counted(samples, phases, configuration, isDeclared: true, isDiagnosed: false).sets
    return sets.first
      ?? CountedSet(cause: .declared, start: 0, end: 0, reps: [], confidence: 0)
  }

  /// Returns the sets of a recording, in order of time, and the rejections if it is to be diagnosed.
  private static func counted(
    _ samples: MotionBatch, _ phases: [PhaseSpan], _ configuration: DetectorConfiguration,
    isDeclared: Bool, isDiagnosed: Bool
  ) -> (sets: [CountedSet], log: RejectionLog) {
    var detector = RepDetector(configuration: configuration)
    if isDeclared { detector.beginSet(hints: nil, isFollowed: false) { _ in } }
    if isDiagnosed { detector.finder.log = RejectionLog() }
    var sets: [CountedSet] = []
    let collect = { (event: DetectionEvent) in
      if case .setEnded(_, let set) = event { sets.append(set) }
    }
    var lookup = PhaseLookup(phases)
    detector.append(samples, phaseOfRow: { lookup[$0] }, onEvent: collect)
    let log = detector.finalizeForDiagnosis(onEvent: collect)
    // The clock may have been set back.
    return (sets.sorted { $0.start < $1.start }, log)
  }
}

/// Looks up the phase of rows in ascending order.
private struct PhaseLookup {
  private let spans: [PhaseSpan]
  private var current = 0

  init(_ spans: [PhaseSpan]) {
    self.spans = spans
  }

  subscript(row: Int) -> WorkoutPhase? {
    mutating get {
      while current < spans.count, spans[current].rows.upperBound <= row { current += 1 }
      guard current < spans.count, spans[current].rows.contains(row) else { return nil }
      return spans[current].phase
    }
  }
}
