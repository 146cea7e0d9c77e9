import Motion
import RepDetection

/// The journaled state of live detection in an open set, from which counting resumes without rereading
/// earlier samples. Excludes the facts that the set's messages state.
struct LiveSnapshot {
  /// State beside the detector's own; both share one checksum.
  private struct Notes: Codable {
    struct Said: Codable {
      var set: CountedSet?
    }

    /// The build that wrote the snapshot. Other builds may count differently.
    var build: String
    var found: FoundSets.Notes?
    var said: [Said]
    var openStart: Double?
  }

  var declaredCount: DeclaredCount?
  var foundSets: FoundSets?
  var said: [CountedSet?]
  var openStart: Double?
}

extension LiveSnapshot {
  /// The encoded snapshot; nil without detection. At most 100 KB plus the open set's results.
  var bytes: [UInt8]? {
    guard let detector = declaredCount?.detector ?? foundSets?.detector else { return nil }
    return detector.snapshot(
      beside: Notes(
        build: libraryVersion, found: foundSets?.notes,
        said: said.map(Notes.Said.init), openStart: openStart))
  }

  /// Decodes a snapshot; nil if it is damaged, or from another build or configuration. The set is then
  /// counted from the start.
  init?(_ bytes: [UInt8], configuration: DetectorConfiguration) {
    guard let (detector, notes) = try? RepDetector.restored(from: bytes, beside: Notes.self),
      notes.build == libraryVersion, detector.follows(configuration)
    else { return nil }
    declaredCount = detector.isInDeclaredSet ? DeclaredCount(detector: detector) : nil
    foundSets = notes.found.map { FoundSets(detector: detector, notes: $0) }
    said = notes.said.map(\.set)
    openStart = notes.openStart
  }
}
