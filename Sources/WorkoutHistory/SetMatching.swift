import Motion

/// Matches the sets of a recording that is processed again with its known sets.
///
/// A changed detector may find one set more or less, which shifts positions. A person's corrections belong to
/// a movement, not to a position, so sets are matched by time:
///
/// 1. A declared set matches the known set with its key.
/// 2. Detected sets match in order of decreasing overlap, if it is at least half of the shorter set.
/// 3. A remaining set takes the row with its key, unless a person has corrected that row.
/// 4. A remaining declared set without an id takes the recording's remaining one: its key has changed.
///
/// Known sets that remain have vanished.
enum SetMatching {
  struct KnownSet: Decodable {
    var id: HistorySetRow.ID
    var key: HistorySetRow.Key
    /// Start and end of the set, in seconds on the samples' clock.
    var start: Double?
    var end: Double?
    /// True if a person corrected its count or its exercise in this copy.
    var isCorrected: Bool
    var exerciseId: HistoryExerciseRow.ID
    var workoutId: HistoryWorkoutRow.ID
    /// True if anything other than its recording named its exercise.
    var keepsExercise: Bool
    var isDeclared: Bool
  }

  static func match(
    _ sets: [(key: HistorySetRow.Key, set: CountedSet)], with known: [KnownSet]
  ) -> [Int?] {
    var matches = [Int?](repeating: nil, count: sets.count)
    var isTaken = [Bool](repeating: false, count: known.count)
    func take(_ index: Int, for position: Int) {
      matches[position] = index
      isTaken[index] = true
    }
    for (position, new) in sets.enumerated() where new.set.cause == .declared {
      if let index = known.firstIndex(where: { $0.key == new.key }) { take(index, for: position) }
    }
    var pairs: [(overlap: Double, position: Int, index: Int)] = []
    for (position, new) in sets.enumerated() where new.set.cause == .detected {
      for (index, old) in known.enumerated() {
        guard let start = old.start, let end = old.end else { continue }
        let overlap = min(end, new.set.end) - max(start, new.set.start)
        let shorter = min(end - start, new.set.end - new.set.start)
        if overlap >= shorter / 2, overlap > 0 || (start, end) == (new.set.start, new.set.end) {
          pairs.append((overlap, position, index))
        }
      }
    }
    pairs.sort { ($0.overlap, $1.position, $1.index) > ($1.overlap, $0.position, $0.index) }
    for pair in pairs where matches[pair.position] == nil && !isTaken[pair.index] {
      take(pair.index, for: pair.position)
    }
    for (position, new) in sets.enumerated() where matches[position] == nil {
      if let index = known.firstIndex(where: { $0.key == new.key && !$0.isCorrected }),
        !isTaken[index]
      {
        take(index, for: position)
      }
    }
    for (position, new) in sets.enumerated()
    where matches[position] == nil && new.set.cause == .declared {
      if let index = known.indices.first(where: { known[$0].isDeclared && !isTaken[$0] }) {
        take(index, for: position)
      }
    }
    return matches
  }
}
