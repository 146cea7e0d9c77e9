/// How an announced count becomes that of other reps, with the fewest events.
///
/// Reps beyond the count that lie after all that was announced are announced. What else differs is one
/// correction. What was announced stays where the count agrees, whatever the reps.
package struct CountChange: Sendable {
  /// The count that is right before more is announced; nil where the one that was announced is.
  package let correction: Int?
  /// Indices of the reps to announce.
  package let news: Range<Int>
  /// Where the reps end that were announced, s.
  private var lastEnd = -Double.infinity

  /// - Parameters:
  ///   - announced: the count so far.
  ///   - count: how many reps there are.
  ///   - following: how many of them, the last ones, lie after all that was announced.
  package init(from announced: Int, to count: Int, following: Int) {
    news = (count - max(0, min(following, count - announced)))..<count
    correction = news.lowerBound == announced ? nil : news.lowerBound
  }

  /// - Parameters:
  ///   - announced: the count so far.
  ///   - lastEnd: of the reps that were announced, s.
  package init(from announced: Int, until lastEnd: Double, to reps: [CountedRep]) {
    let end = announced > 0 ? lastEnd : -.infinity
    self.init(
      from: announced, to: reps.count,
      following: reps.reversed().prefix { ($0.start + $0.end) / 2 > end }.count)
    self.lastEnd = end
  }

  /// Those of the reps to announce, with their numbers. The first may have been cut at another phase than
  /// what was announced: announced reps never overlap.
  package func announcements(of reps: [CountedRep]) -> [(number: Int, rep: CountedRep)] {
    news.map { index in
      var rep = reps[index]
      rep.start = max(rep.start, lastEnd)
      return (index + 1, rep)
    }
  }
}
