import RepDetection

/// The announced results of sets. Computes the events that lead from them to a new result: live, at the end
/// of a set, and after a revision.
struct Announcements: Equatable, Codable {
  /// An event; for a detected set, also the set's number.
  typealias Item = (kind: StreamEvent.Kind, number: Int?)

  /// Announced results of detected sets by number; nil while a set is open.
  var found: [CountedSet?] = []
  /// The announced result of the declared set.
  var declared: CountedSet?
  /// Number of the detected set whose count was corrected last. Its reps are announced again.
  private var correctedNumber: Int?

  /// Records the results that an earlier run announced at its end.
  mutating func noteResumed(_ sets: [CountedSet]) {
    correctedNumber = nil
    for (index, set) in sets.enumerated() {
      if index >= found.count { found.append(set) } else { found[index] = found[index] ?? set }
    }
  }

  // MARK: - Live

  /// Returns a live event about a detected set as it should be announced; nil if it was announced before.
  mutating func live(_ kind: StreamEvent.Kind, number: Int) -> StreamEvent.Kind? {
    let index = number - 1
    switch kind {
    case .setStarted:
      guard found.count < number else { return nil }
      found.append(nil)
    case .setEnded(let set) where found.indices.contains(index):
      let before = found[index]
      found[index] = set
      guard let before else { return kind }
      return before == set ? nil : .setRevised(set, previousReps: before.reps.count)
    case .setCancelled:
      guard found.count == number else { return nil }
      found.removeLast()
    case .rep(let count, _) where found.indices.contains(index) && correctedNumber != number:
      if let before = found[index], count <= before.reps.count { return nil }
    case .repCorrected: correctedNumber = number
    default: break
    }
    return kind
  }

  // MARK: - Final answers

  /// Returns the events that lead from the announced result of a declared set to its final one.
  ///
  /// - Parameters:
  ///   - count: The live count; nil if there was none.
  ///   - announcesEqual: Whether to announce an unchanged result again.
  mutating func declared(
    _ set: CountedSet, after count: DeclaredCount?, announcesEqual: Bool
  ) -> [Item] {
    if let before = declared { return before == set && !announcesEqual ? [] : revised(set) }
    defer { declared = set }
    var announced = count?.announced ?? AnnouncedSet()
    var events: [DetectionEvent] = []
    announced.update(to: set.reps, isOngoing: false, at: 0, into: &events)
    announced.add(partials: set.partialReps, at: 0, into: &events)
    let items: [Item] = events.compactMap { event in
      StreamEvent.Kind(repsOf: event).map { ($0, nil) }
    }
    return items + [(.setEnded(set), nil)]
  }

  /// Returns the events for a revised declared set, even if its result is unchanged.
  mutating func revised(_ set: CountedSet) -> [Item] {
    defer { declared = set }
    return [(.setRevised(set, previousReps: declared?.reps.count ?? 0), nil)]
  }

  /// Returns the events that lead from the announced detected sets to the final ones, in order of sets.
  mutating func found(_ sets: [CountedSet]) -> [Item] {
    defer { found = sets }
    var items: [Item] = []
    for number in 1...max(1, max(sets.count, found.count)) {
      guard sets.count >= number else {
        if found.count >= number { items.append((.setCancelled, number)) }
        continue
      }
      let new = sets[number - 1]
      if found.count < number {
        items.append((.setStarted(cause: .detected, start: new.start, isRecovered: false), number))
        for (index, rep) in new.reps.enumerated() {
          items.append((.rep(count: index + 1, rep), number))
        }
        items.append((.setEnded(new), number))
      } else if let old = found[number - 1] {
        if new != old { items.append((.setRevised(new, previousReps: old.reps.count), number)) }
      } else {
        items.append((.setEnded(new), number))
      }
    }
    return items
  }

  /// Returns the events that cancel all detected sets.
  mutating func cancelAll() -> [Item] {
    defer { found = [] }
    return found.indices.map { (.setCancelled, $0 + 1) }
  }
}
