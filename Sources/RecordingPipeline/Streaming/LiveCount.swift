import Motion
import RepDetection

/// Called with a live count's event, its time in seconds on the samples' clock, and the number of a detected
/// set.
typealias LiveReport = (_ kind: StreamEvent.Kind, _ time: Double, _ setNumber: Int?) -> Void

/// Counts a declared set live, and finalizes it if its samples arrived in order.
struct DeclaredCount: Sendable {
  private(set) var detector: RepDetector
  private(set) var notes = Notes()

  struct Notes: Sendable, Codable {
    var count = 0
    var lastEnd = -Double.infinity
    var partials: [CountedRep] = []
  }

  init(configuration: DetectorConfiguration) {
    detector = RepDetector(configuration: configuration, findsSets: false)
    detector.beginSet { _ in }
  }

  /// Resumes from a saved state.
  init(detector: RepDetector, notes: Notes) {
    self.detector = detector
    self.notes = notes
  }

  /// Number of reps announced.
  var count: Int { notes.count }
  /// End of the last announced rep, in seconds.
  var lastEnd: Double { notes.lastEnd }
  var partials: [CountedRep] { notes.partials }

  /// Appends samples in order of time. Samples of phase `rest` are not counted, and end a bout.
  mutating func append(
    _ samples: MotionBatch, phase: WorkoutPhase?, saysPhase: Bool, _ report: LiveReport
  ) {
    var notes = notes
    detector.append(samples, phase: phase) { event in
      switch event {
      case .rep(let time, let reps, let rep):
        notes.count = reps
        notes.lastEnd = rep.end
        report(.rep(count: reps, rep), time, nil)
      case .repCorrected(let time, let reps):
        notes.count = reps
        report(.repCorrected(count: reps), time, nil)
      case .partialRep(let time, let rep):
        notes.partials.append(rep)
        report(.partialRep(rep), time, nil)
      case .phase(let time, let from, let to):
        if saysPhase { report(.phase(from: from, to: to), time, nil) }
      case .setStarted, .setEnded, .setCancelled: break
      }
    }
    self.notes = notes
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

  /// Number of sets announced and not cancelled, including the open one. They are numbered 1, 2, …; the
  /// number of a cancelled set is used again for the next one.
  var startedSets: Int { notes.startedSets }
  /// Sets that have ended, in order of time.
  var ended: [CountedSet] { notes.ended }

  mutating func append(
    _ samples: MotionBatch, phase: WorkoutPhase?, saysPhase: Bool, _ report: LiveReport
  ) {
    var notes = notes
    detector.append(samples, phase: phase) { notes.take($0, saysPhase: saysPhase, report) }
    self.notes = notes
  }

  mutating func finish(saysPhase: Bool, _ report: LiveReport) {
    var notes = notes
    detector.finish { notes.take($0, saysPhase: saysPhase, report) }
    self.notes = notes
  }
}

extension FoundSets.Notes {
  fileprivate mutating func take(
    _ event: DetectionEvent, saysPhase: Bool, _ report: LiveReport
  ) {
    switch event {
    case .setStarted:
      startedSets += 1
      report(
        .setStarted(cause: .detected, start: event.setStart, isRecovered: false), event.time,
        startedSets)
    case .rep(let time, let count, let rep):
      report(.rep(count: count, rep), time, startedSets)
    case .repCorrected(let time, let count):
      report(.repCorrected(count: count), time, startedSets)
    case .partialRep(let time, let rep): report(.partialRep(rep), time, startedSets)
    case .phase(let time, let from, let to):
      if saysPhase { report(.phase(from: from, to: to), time, nil) }
    case .setEnded(let time, let set):
      ended.append(set)
      report(.setEnded(set), time, startedSets)
    case .setCancelled(let time):
      report(.setCancelled, time, startedSets)
      startedSets -= 1
    }
  }
}

extension DetectionEvent {
  fileprivate var setStart: Double? {
    if case .setStarted(_, let start, _) = self { start } else { nil }
  }
}
