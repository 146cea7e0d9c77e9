import Motion
import RepDetection

/// What a live count has to say: the event, its time in seconds on the samples' clock, and the
/// number of the set for sets that were found.
typealias LiveReport = (_ kind: StreamEvent.Kind, _ time: Double, _ setNumber: Int?) -> Void

/// Counts along in one declared set, and finalizes it where its samples came in order.
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

  /// Goes on from where another one was.
  init(detector: RepDetector, notes: Notes) {
    self.detector = detector
    self.notes = notes
  }

  /// Reps that were announced.
  var count: Int { notes.count }
  /// End of the last one, s.
  var lastEnd: Double { notes.lastEnd }
  var partials: [CountedRep] { notes.partials }

  /// Takes samples in order of time. Those of phase `rest` do not count, and end a bout.
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

  /// The set of all samples that came so far.
  func finalized() -> CountedSet? { detector.finalizedSet() }
}

/// Finds sets in the samples of a session as they come.
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

  /// Goes on from where another one was.
  init(detector: RepDetector, notes: Notes) {
    self.detector = detector
    self.notes = notes
  }

  /// Sets that were announced and not cancelled, the open one included. Their numbers are 1, 2, …;
  /// that of a set that was cancelled goes to the next one.
  var startedSets: Int { notes.startedSets }
  /// Sets that have ended, in order.
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
