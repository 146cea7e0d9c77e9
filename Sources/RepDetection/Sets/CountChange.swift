/// The fewest events that turn an announced count into that of other reps.
///
/// Additional reps that lie after all announced ones are announced. Any other difference is one correction.
/// If the counts agree, announced reps stay as they are, even if the reps differ.
struct CountChange: Sendable {
  /// The corrected count, to be emitted before further reps; nil if the announced count needs no correction.
  let correction: Int?
  /// Indices of the reps to announce.
  let news: Range<Int>
  /// End of the last announced rep, in seconds.
  private var lastEnd = -Double.infinity

  /// - Parameters:
  ///   - announced: The count so far.
  ///   - count: The new number of reps.
  ///   - following: Number of reps, at the end, that lie after all announced ones.
  init(from announced: Int, to count: Int, following: Int) {
    news = (count - max(0, min(following, count - announced)))..<count
    correction = news.lowerBound == announced ? nil : news.lowerBound
  }

  /// - Parameters:
  ///   - announced: The count so far.
  ///   - lastEnd: End of the last announced rep, in seconds.
  init(from announced: Int, until lastEnd: Double, to reps: [CountedRep]) {
    let end = announced > 0 ? lastEnd : -.infinity
    self.init(
      from: announced, to: reps.count,
      following: reps.reversed().prefix { ($0.start + $0.end) / 2 > end }.count)
    self.lastEnd = end
  }

  /// Returns the reps to announce, with their numbers. The first may have been cut at another phase than the
  /// reps announced before it; announced reps never overlap.
  func announcements(of reps: [CountedRep]) -> [(number: Int, rep: CountedRep)] {
    news.map { index in
      var rep = reps[index]
      rep.start = max(rep.start, lastEnd)
      return (index + 1, rep)
    }
  }
}
