/// What the detector did not count, while someone wants to know: absent otherwise, and then nothing
/// is computed for it.
struct RejectionLog: Sendable {
  private(set) var rejections: [CandidateRejection] = []

  /// Notes a rejection. The signal is looked at every two seconds: the same movement that is seen
  /// again is noted once, by the look that came closest to counting it.
  mutating func note(_ new: CandidateRejection) {
    if new.subject == .row || new.subject == .set,
      let known = rejections.lastIndex(where: {
        $0.subject == new.subject && Self.overlap($0, new) > 0.3
      })
    {
      if Self.closeness(new) > Self.closeness(rejections[known]) { rejections[known] = new }
      return
    }
    if !rejections.contains(new) { rejections.append(new) }
  }

  /// Notes a settled row of reps that is no set.
  mutating func note(_ run: SettledRun, _ reason: CandidateRejection.Reason) {
    guard let first = run.reps.first, let last = run.reps.last else { return }
    note(
      CandidateRejection(
        subject: .set, reason: reason, start: first.start, end: last.end,
        periodSeconds: run.period))
  }

  /// Those that no set covers, in order of time. A row that was seen before it became a set is no
  /// rejection.
  func unexplained(by sets: [(start: Double, end: Double)]) -> [CandidateRejection] {
    rejections.filter { rejection in
      guard rejection.subject == .row || rejection.subject == .set else { return true }
      return !sets.contains { set in
        let common = min(rejection.end, set.end) - max(rejection.start, set.start)
        return common > 0.3 * (rejection.end - rejection.start)
      }
    }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  private static func overlap(_ a: CandidateRejection, _ b: CandidateRejection) -> Double {
    let common = min(a.end, b.end) - max(a.start, b.start)
    return common / max(min(a.end - a.start, b.end - b.start), 1e-6)
  }

  /// How many of the tests in their order were passed, and how nearly the failed one.
  private static func closeness(_ rejection: CandidateRejection) -> Double {
    func share(_ value: Double, _ needed: Double) -> Double {
      needed > 0 ? min(max(value / needed, 0), 1) : 0
    }
    switch rejection.reason {
    case .tooFewReps(let count, let needed): return share(Double(count), Double(needed))
    case .tooShort(let seconds, let needed): return 1 + share(seconds, needed)
    case .tooFast(let period, let needed): return 2 + share(period, needed)
    case .unlike(let similarity, let needed): return 3 + share(similarity, needed)
    case .tooWeak(let value, let needed): return 4 + share(value, needed)
    case .walking: return 5
    }
  }
}
