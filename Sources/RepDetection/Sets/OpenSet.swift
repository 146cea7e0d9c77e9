import Motion
import TemplateSearch

/// An announced set that is finalized so far and may continue after a rest: bouts of one movement, of which
/// only the reps and the shape are kept.
struct OpenSet: Sendable, Codable {
  private(set) var bouts: [RepRun]

  /// - Parameter bouts: At least one, in order of time.
  init(_ bouts: [RepRun]) {
    self.bouts = bouts
    // One template is enough to recognize the movement, however many bouts there are.
    let mostReliable = bouts.indices.max {
      (bouts[$0].template?.weight ?? 0) < (bouts[$1].template?.weight ?? 0)
    }
    for i in bouts.indices where i != mostReliable { self.bouts[i].template = nil }
  }

  /// Begin of the first rep and end of the last so far, in seconds.
  var start: Double { bouts.first?.reps.first?.start ?? 0 }
  var end: Double { bouts.last?.reps.last?.end ?? 0 }
  /// Period of the latest bout, in seconds.
  var period: Double { bouts.last?.period ?? 0 }
  /// Shape of the movement, from the bout with the highest weight.
  var template: MovementTemplate? {
    bouts.lazy.compactMap { $0.template }.first
  }

  /// The signal before all of its bouts.
  var signalBefore: MotionLevel? { bouts.first?.figures.surroundings.before }

  /// Returns true if a run may be another bout, by its tempo and by the time since the last rep.
  func mayContinue(with run: SetGate.Figures, _ configuration: DetectorConfiguration) -> Bool {
    DetectorConfiguration.haveSameTempo(Double(run.signature.period), period)
      && run.span.lowerBound - end <= configuration.longestRestWithinSetSeconds
  }

  /// The latest bout, with the set's template.
  var latest: RepRun {
    var bout = bouts[bouts.count - 1]
    bout.template = template
    return bout
  }

  mutating func add(partials: [RepRun.Rep]) { bouts[bouts.count - 1].add(partials: partials) }

  /// Bytes of memory held for the set's reps.
  var setByteCount: Int {
    bouts.reduce(0) {
      $0 + ($1.reps.count + $1.partials.count) * MemoryLayout<RepRun.Rep>.stride
    }
  }

  /// Returns the final answer. Its count is right if the counts of all bouts are.
  func counted(_ configuration: DetectorConfiguration) -> CountedSet {
    let parts = bouts.map { $0.counted(cause: .detected, configuration: configuration) }
    guard parts.count > 1, let main = bouts.max(by: { $0.reps.count < $1.reps.count }) else {
      return parts.first
        ?? CountedSet(cause: .detected, start: 0, end: 0, reps: [], confidence: 0)
    }
    var whole = main
    whole.reps = bouts.flatMap { $0.reps }
    for bout in bouts { whole.add(partials: bout.partials) }
    var set = whole.counted(cause: .detected, configuration: configuration)
    // Rate each rep within its own bout: reps after a rest may differ, and be weaker.
    set.reps = parts.flatMap { $0.reps }.withoutOverlap
    set.confidence = parts.reduce(1) { $0 * $1.confidence }
    return set
  }
}
