import RepTrace

extension [String] {
  /// Returns the names that are most similar to a misspelled one, nearest first. Ignores case and accents; at
  /// most every third letter may differ.
  func nearest(to name: String, limit: Int = 3) -> [String] {
    let wanted = [Unicode.Scalar](name.foldedForSearch.unicodeScalars.prefix(100))
    return map { candidate in
      let letters = [Unicode.Scalar](candidate.foldedForSearch.unicodeScalars.prefix(100))
      let allowed = Swift.max(1, Swift.max(wanted.count, letters.count) / 3)
      return (candidate, ExerciseNameMatcher.distance(wanted, letters), allowed)
    }.filter { $0.1 <= $0.2 }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(limit).map(\.0)
  }

  /// A sentence that suggests these names; empty if there are none.
  var suggestion: String {
    isEmpty ? "" : "; did you mean " + map { "\"\($0)\"" }.joined(separator: " or ") + "?"
  }
}
