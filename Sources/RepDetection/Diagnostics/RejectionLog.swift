import Motion
import SignalProcessing

/// Collects rejected candidates during a diagnosis. Otherwise there is no log, and nothing is computed for
/// it.
struct RejectionLog: Sendable {
  private(set) var rejections: [CandidateRejection] = []

  /// Records a rejection. The signal is searched every two seconds and shows a movement repeatedly, so only
  /// its closest miss is kept.
  mutating func note(_ new: CandidateRejection) {
    guard new.subject != .window else { return noteWindow(new) }
    let known = rejections.lastIndex {
      $0.subject == new.subject && Self.overlap($0, new) > 0.3
    }
    if let known {
      if Self.closeness(new) > Self.closeness(rejections[known]) { rejections[known] = new }
    } else {
      rejections.append(new)
    }
  }

  /// Records the result of one search of the recent signal: the rejected runs, or the closest miss if no run
  /// was found.
  mutating func note(_ found: [CandidateRejection]) {
    let runs = found.filter { $0.subject != .window }
    for run in runs { note(run) }
    guard runs.isEmpty else { return }
    if let nearest = found.max(by: { Self.closeness($0) < Self.closeness($1) }) { note(nearest) }
  }

  /// Merges successive windows that failed the same test.
  private mutating func noteWindow(_ new: CandidateRejection) {
    let known = rejections.lastIndex { $0.subject == .window }
    guard let known, rejections[known].reason.name == new.reason.name,
      new.start <= rejections[known].end + 0.1
    else { return rejections.append(new) }
    if Self.closeness(new) > Self.closeness(rejections[known]) {
      rejections[known].reason = new.reason
    }
    rejections[known].end = max(rejections[known].end, new.end)
  }

  /// Records a finalized run of reps that is not a set.
  mutating func note(_ run: RepRun, _ reason: CandidateRejection.Reason) {
    guard let first = run.reps.first, let last = run.reps.last else { return }
    note(
      CandidateRejection(
        subject: .set, reason: reason, start: first.start, end: last.end,
        periodSeconds: run.period))
  }

  /// Returns the rejections not covered by a set, in order of time. A run that later became a set is not
  /// rejected, nor is a movement that became a rep; windows are reduced to the parts beside the sets.
  func unexplained(by sets: [CountedSet]) -> [CandidateRejection] {
    let spans = sets.map { (start: $0.start, end: $0.end) }
    let reps = sets.flatMap { $0.reps }.map { (start: $0.start, end: $0.end) }
    let kept = rejections.flatMap { rejection -> [CandidateRejection] in
      func isCovered(by spans: [(start: Double, end: Double)]) -> Bool {
        spans.contains { span in
          let common = min(rejection.end, span.end) - max(rejection.start, span.start)
          return common > 0.3 * (rejection.end - rejection.start)
        }
      }
      return switch rejection.subject {
      case .window: Self.parts(of: rejection, besides: spans)
      case .partial, .movement: isCovered(by: reps) ? [] : [rejection]
      case .run, .set: isCovered(by: spans) ? [] : [rejection]
      case .declaredSet: [rejection]
      }
    }
    return kept.sorted(byKey: { $0.end }).sorted(byKey: { $0.start })
  }

  private static func parts(
    of window: CandidateRejection, besides sets: [(start: Double, end: Double)]
  ) -> [CandidateRejection] {
    var parts = [window]
    for set in sets {
      parts = parts.flatMap { part -> [CandidateRejection] in
        guard set.start < part.end, part.start < set.end else { return [part] }
        var (before, after) = (part, part)
        before.end = set.start
        after.start = set.end
        return [before, after].filter { $0.end - $0.start > 0.1 }
      }
    }
    return parts
  }

  private static func overlap(_ a: CandidateRejection, _ b: CandidateRejection) -> Double {
    let common = min(a.end, b.end) - max(a.start, b.start)
    return common / max(min(a.end - a.start, b.end - b.start), 1e-6)
  }

  /// Returns the number of passed tests, plus how nearly the failed one was passed (0 to 0.99).
  private static func closeness(_ rejection: CandidateRejection) -> Double {
    let test: Double =
      switch rejection.reason {
      case .noSegmentation, .motionless: 0
      case .quiet: 1
      case .nothingAlike: 2
      case .tooFewReps: 3
      case .tooFast: 4
      case .unlike, .unlikely: 5
      case .tooWeak: 6
      case .walking, .tooSmall, .lessProbable: 7
      }
    guard let (value, needed) = rejection.reason.figures, needed > 0 else { return test }
    return test + min(max(value / needed, 0), 1) * 0.99
  }
}

/// A snapshot does not contain the log.
extension RejectionLog: Codable {
  #if !hasFeature(Embedded)
    init(from decoder: any Decoder) {}
    func encode(to encoder: any Encoder) {}
  #endif
}
