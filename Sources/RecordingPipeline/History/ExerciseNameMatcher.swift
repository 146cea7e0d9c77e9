import WorkoutHistory

/// Finds the exercise that a name refers to, tolerating accents, case and misspellings.
///
/// Names that differ only in accents, case and punctuation match exactly. Other names are compared word by
/// word: the similarity of two words is 1 − distance / length (Damerau–Levenshtein, optimal string alignment),
/// each word is weighted by its length, and the similarity of two names is the mean of both directions. The
/// similarity of the names' letters without spaces ("legpress") replaces it if it is higher. The best candidate
/// matches if it reaches ``threshold`` and no other is within ``margin`` of it: asking the person is better
/// than putting a wrong exercise into a plan.
package struct ExerciseNameMatcher: Sendable {
  package struct Candidate: Sendable, Hashable {
    package var uuid: CatalogExercise.Key
    package var name: String
    /// Similarity, from 0 to 1.
    package var likeness: Double
  }

  package enum Match: Sendable, Hashable {
    /// The names are equal except for accents, case and punctuation, or the template ids are equal.
    case exact(Candidate)
    case similar(Candidate)
    /// Several candidates are about equally similar. The best is first.
    case ambiguous([Candidate])
    /// No candidate reaches the threshold.
    /// - Parameter nearest: The best candidate, if any.
    case none(nearest: Candidate?)
  }

  /// Minimum similarity of a match.
  package static let threshold = 0.85
  /// Minimum lead of the best candidate over the next one.
  package static let margin = 0.03

  private struct Entry {
    var uuid: CatalogExercise.Key
    var name: String
    var folded: String
    var words: [[Unicode.Scalar]]
  }

  private var entries: [Entry] = []
  private var exact: [String: [Int]] = [:]
  private var byTemplateId: [CatalogExercise.Key: Int] = [:]

  /// O(exercises).
  package init(_ catalog: [CatalogExercise]) {
    for exercise in catalog {
      let folded = exercise.name.foldedForSearch
      exact[folded, default: []].append(entries.count)
      if let templateId = exercise.templateId { byTemplateId[templateId] = entries.count }
      entries.append(
        Entry(
          uuid: exercise.uuid, name: exercise.name, folded: folded, words: Self.words(folded)))
    }
  }

  /// Returns the exercise that a name refers to. O(exercises × letters²), unless there is an exact match.
  ///
  /// - Parameter templateId: The key in the shared library, if known. Only this key is then compared.
  package func match(_ name: String, templateId: CatalogExercise.Key? = nil) -> Match {
    if let templateId, let index = byTemplateId[templateId] {
      return .exact(candidate(index, likeness: 1))
    }
    let whole = match(whole: name)
    // Text in parentheses is a remark: "Supino Reto (barra)".
    if case .none = whole, let bracket = name.firstIndex(of: "("), bracket > name.startIndex {
      return match(whole: String(name[..<bracket]))
    }
    return whole
  }

  private func match(whole name: String) -> Match {
    let folded = name.foldedForSearch
    guard !folded.isEmpty else { return .none(nearest: nil) }
    if let indices = exact[folded] {
      return indices.count == 1
        ? .exact(candidate(indices[0], likeness: 1))
        : .ambiguous(indices.map { candidate($0, likeness: 1) })
    }
    let words = Self.words(folded)
    let ranked = entries.indices
      .map { candidate($0, likeness: Self.likeness(words, entries[$0].words)) }
      .sorted { ($0.likeness, $1.name) > ($1.likeness, $0.name) }
    guard let best = ranked.first else { return .none(nearest: nil) }
    guard best.likeness >= Self.threshold else { return .none(nearest: best) }
    let rivals = ranked.prefix { $0.likeness > best.likeness - Self.margin }
    return rivals.count == 1 ? .similar(best) : .ambiguous(Array(rivals))
  }

  private func candidate(_ index: Int, likeness: Double) -> Candidate {
    Candidate(uuid: entries[index].uuid, name: entries[index].name, likeness: likeness)
  }

  private static func words(_ folded: String) -> [[Unicode.Scalar]] {
    // Bounds the cost. Exercise names are short, so the first words of a long text are enough to reject it.
    folded.split(separator: " ").prefix(12).map { Array($0.unicodeScalars.prefix(40)) }
  }

  static func likeness(_ a: [[Unicode.Scalar]], _ b: [[Unicode.Scalar]]) -> Double {
    guard !a.isEmpty, !b.isEmpty else { return 0 }
    return max(
      (coverage(of: a, by: b) + coverage(of: b, by: a)) / 2,
      likeness(of: Array(a.joined()), to: Array(b.joined())))
  }

  private static func coverage(
    of words: [[Unicode.Scalar]], by others: [[Unicode.Scalar]]
  ) -> Double {
    var covered = 0.0
    var length = 0.0
    for word in words {
      let best = others.reduce(0) { max($0, likeness(of: word, to: $1)) }
      covered += best * Double(word.count)
      length += Double(word.count)
    }
    return covered / length
  }

  private static func likeness(of a: [Unicode.Scalar], to b: [Unicode.Scalar]) -> Double {
    if a == b { return 1 }
    let longer = max(a.count, b.count)
    return longer == 0 ? 1 : 1 - Double(distance(a, b)) / Double(longer)
  }

  /// Returns the number of insertions, deletions, substitutions and swaps of neighbors that turn one word into
  /// the other.
  package static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
