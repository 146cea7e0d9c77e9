import Motion
import RepDetection

/// Called with a live count's event, its time in seconds on the samples' clock, and the number of a detected
/// set.
typealias LiveReport = (_ kind: StreamEvent.Kind, _ time: Double, _ setNumber: Int?) -> Void

/// Counts a declared set live, and finalizes it if its samples arrived in order.
struct DeclaredCount: Sendable {
  private(set) var detector: RepDetector

  init(configuration: DetectorConfiguration) {
    detector = RepDetector(configuration: configuration, findsSets: false)
    detector.beginSet { _ in }
  }

  /// Resumes from a saved state.
  init(detector: RepDetector) { self.detector = detector }

  var announced: AnnouncedSet { detector.announced ?? AnnouncedSet() }

  /// Appends samples in chronological order. Samples of phase `rest` are not counted, and end a bout.
  mutating func append(
    _ samples: MotionBatch, phase: WorkoutPhase?, reportsPhase: Bool, _ report: LiveReport
  ) {
    detector.append(samples, phase: phase) { event in
      switch event {
      case .phase(let time, let from, let to):
        if reportsPhase { report(.phase(from: from, to: to), time, nil) }
      case .setStarted, .setEnded, .setCancelled: break
      case .rep, .repCorrected, .partialRep:
        if let kind = StreamEvent.Kind(repsOf: event) { report(kind, event.time, nil) }
      }
    }
  }

  /// Returns the set counted from all samples so far.
  func finalized() -> CountedSet? { detector.finalizedSet() }
}

/// Detects sets live in the samples of a session.
struct FoundSets: Sendable {
  private(set) var detector: RepDetector
  private(set) var notes = Notes()

  struct Notes: Sendable, Codable {
    var startedSets = 0
    var ended: [CountedSet] = []
  }

  init(configuration: DetectorConfiguration) {
    detector = RepDetector(configuration: configuration)
  }

  /// Resumes from a saved state.
  init(detector: RepDetector, notes: Notes) {
    self.detector = detector
    self.notes = notes
  }

  /// Number of sets announced and not canceled, including the open one. They are numbered 1, 2, …; the
  /// number of a canceled set is reused for the next one.
  var startedSets: Int { notes.startedSets }
  /// Sets that have ended, in chronological order.
  var ended: [CountedSet] { notes.ended }

  mutating func append(
    _ samples: MotionBatch, phase: WorkoutPhase?, reportsPhase: Bool, _ report: LiveReport
  ) {
    var notes = notes
    detector.append(samples, phase: phase) { notes.take($0, reportsPhase: reportsPhase, report) }
    self.notes = notes
  }

  mutating func finish(reportsPhase: Bool, _ report: LiveReport) {
    var notes = notes
    detector.finish { notes.take($0, reportsPhase: reportsPhase, report) }
    self.notes = notes
  }
}

extension FoundSets.Notes {
  fileprivate mutating func take(_ event: DetectionEvent, reportsPhase: Bool, _ report: LiveReport)
  {
    switch event {
    case .setStarted:
      startedSets += 1
      report(
        .setStarted(cause: .detected, start: event.setStart, isRecovered: false), event.time,
        startedSets)
    case .rep, .repCorrected, .partialRep:
      if let kind = StreamEvent.Kind(repsOf: event) { report(kind, event.time, startedSets) }
    case .phase(let time, let from, let to):
      if reportsPhase { report(.phase(from: from, to: to), time, nil) }
    case .setEnded(let time, let set):
      ended.append(set)
      report(.setEnded(set), time, startedSets)
    case .setCancelled(let time):
      report(.setCancelled, time, startedSets)
      startedSets -= 1
    }
  }
}

extension StreamEvent.Kind {
  /// Creates the stream event for a detector's event about reps; nil for other events.
  init?(repsOf event: DetectionEvent) {
    switch event {
    case .rep(_, let count, let rep): self = .rep(count: count, rep)
    case .repCorrected(_, let count): self = .repCorrected(count: count)
    case .partialRep(_, let rep): self = .partialRep(rep)
    case .setStarted, .phase, .setEnded, .setCancelled: return nil
    }
  }
}

extension DetectionEvent {
  fileprivate var setStart: Double? {
    if case .setStarted(_, let start, _) = self { start } else { nil }
  }
}
