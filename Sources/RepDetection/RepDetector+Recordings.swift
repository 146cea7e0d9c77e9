import Motion
import SignalProcessing

extension RepDetector {
  /// Returns the sets found in a whole recording, in order. O(samples).
  ///
  /// - Parameters:
  ///   - samples: Samples in order of time, in any units.
  ///   - phases: The phases that the source declared for rows of `samples`.
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
      sets: sets, rejections: log.unexplained(by: sets))
  }

  /// Counts a declared set like ``countSet(in:phases:configuration:)``, and returns the reason if it has no
  /// reps, else those for the movements that were not counted.
  public static func diagnoseSet(
    in samples: MotionBatch, phases: [PhaseSpan] = [],
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> Diagnosis {
    let (sets, log) = counted(samples, phases, configuration, isDeclared: true, isDiagnosed: true)
    return Diagnosis(sets: sets, rejections: log.unexplained(by: sets))
  }

  /// Counts one declared set. The samples may include a few seconds before and after it.
  ///
  /// - Returns: Exactly one set. If no rep was found, its start and end are those of the samples. Samples of
  ///   phase `rest` never count.
  public static func countSet(
    in samples: MotionBatch, phases: [PhaseSpan] = [],
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> CountedSet {
    let sets = counted(samples, phases, configuration, isDeclared: true, isDiagnosed: false).sets
    return sets.first
      ?? CountedSet(cause: .declared, start: 0, end: 0, reps: [], confidence: 0)
  }

  /// Returns the sets of a recording, in order of time, and in a diagnosis the rejections.
  private static func counted(
    _ samples: MotionBatch, _ phases: [PhaseSpan], _ configuration: DetectorConfiguration,
    isDeclared: Bool, isDiagnosed: Bool
  ) -> (sets: [CountedSet], log: RejectionLog) {
    var detector = RepDetector(configuration: configuration)
    if isDeclared { detector.beginSet(hints: nil, isFollowed: false) }
    if isDiagnosed { detector.finder.log = RejectionLog() }
    var events: [DetectionEvent] = []
    var row = 0
    for span in phases where span.rows.upperBound > row && row < samples.count {
      let rows = span.rows.clamped(to: row..<samples.count)
      detector.append(samples, rows: row..<rows.lowerBound, into: &events)
      detector.append(samples, rows: rows, phase: span.phase, into: &events)
      row = rows.upperBound
    }
    detector.append(samples, rows: row..<samples.count, into: &events)
    let log = detector.finish(into: &events)
    let sets = events.compactMap { event in
      if case .setEnded(_, let set) = event { set } else { nil }
    }
    // The clock may have been set back.
    return (sets.sorted(byKey: { $0.start }), log)
  }
}
