import Motion
import RepDetection

/// The state of live detection in a set under way, as a journal keeps it: from it a set is counted on
/// without what it counted already. What a set's messages say by themselves is not in it.
struct LiveSnapshot {
  /// Beside the detector's own state, under the same checksum.
  private struct Notes: Codable {
    struct Said: Codable {
      var set: CountedSet?
    }

    /// What has written it: another build may count otherwise.
    var build: String
    var declared: DeclaredCount.Notes?
    var found: FoundSets.Notes?
    var said: [Said]
    var openStart: Double?
  }

  var declaredCount: DeclaredCount?
  var foundSets: FoundSets?
  var said: [CountedSet?]
  var openStart: Double?

  init(
    declaredCount: DeclaredCount?, foundSets: FoundSets?, said: [CountedSet?], openStart: Double?
  ) {
    self.declaredCount = declaredCount
    self.foundSets = foundSets
    self.said = said
    self.openStart = openStart
  }

  /// nil where nothing is detected. At most 100 KB and what the detector says of the set under way.
  var bytes: [UInt8]? {
    guard let detector = declaredCount?.detector ?? foundSets?.detector else { return nil }
    return detector.snapshot(
      beside: Notes(
        build: libraryVersion, declared: declaredCount?.notes, found: foundSets?.notes,
        said: said.map(Notes.Said.init), openStart: openStart))
  }

  /// nil where the bytes are damaged, or those of another build or configuration: then the set is
  /// counted anew.
  init?(_ bytes: [UInt8], configuration: DetectorConfiguration) {
    guard let (detector, notes) = try? RepDetector.restored(from: bytes, beside: Notes.self),
      notes.build == libraryVersion, detector.follows(configuration)
    else { return nil }
    declaredCount = notes.declared.map { DeclaredCount(detector: detector, notes: $0) }
    foundSets = notes.found.map { FoundSets(detector: detector, notes: $0) }
    said = notes.said.map(\.set)
    openStart = notes.openStart
  }
}
