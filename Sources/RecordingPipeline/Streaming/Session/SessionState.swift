import Motion
import RecordingInput
import WorkoutHistory

/// The state of a ``StreamSession``, except for its messages and detectors.
struct SessionState: Codable {
  /// The state of a set in memory.
  struct SavedSet: Codable {
    var key: StreamKey
    var kind: Int
    var identity: SetIdentity
    var person: String?
    var announced: Announcements
    /// The final answer; nil while the set is open.
    var answer: StreamedSet.FinalAnswer?
    /// Number of samples that are not counted yet; nil unless the set was extended after its end.
    var uncounted: Int?
    /// Size of the detector's snapshot, in bytes; 0 without a detector.
    var snapshotSize: Int
  }

  /// Numbers of received messages and of results.
  var received: Int
  var results: Int
  var resolver: SessionResolver
  var registry: SetRegistry.Saved
  var exercises: [String: [String: String]]
  var sets: [SavedSet]
  /// The checksum and size of the messages saved so far.
  var messageChecksum: UInt64
  var messageBytes: Int
}

extension SetRegistry {
  /// The state of a registry, without message hashes.
  struct Saved: Codable {
    struct Entry: Codable {
      var key: StreamKey
      var kind: Int
      var identity: SetIdentity
      var session: String
      var isEnded: Bool
      var isExtended: Bool
      var samples: Int
      var use: Int
      var begin: Int
    }

    var uses: Int
    /// Open entries, then ended ones, each in order of release.
    var entries: [Entry]
  }

  var saved: Saved {
    let order =
      liveQueue.waiting.filter { key, use in isCurrent(key, use, isEnded: false) }
      + endedQueue.waiting.filter { key, use in isCurrent(key, use, isEnded: true) }
    return Saved(
      uses: uses,
      entries: order.compactMap { key, _ in
        entries[key].map {
          Saved.Entry(
            key: key, kind: $0.kind.rawValue, identity: $0.identity, session: $0.session,
            isEnded: $0.isEnded, isExtended: isExtended(key), samples: $0.samples, use: $0.use,
            begin: $0.begin)
        }
      })
  }

  private func isCurrent(_ key: StreamKey, _ use: Int, isEnded: Bool) -> Bool {
    entries[key].map { $0.isEnded == isEnded && $0.use == use } ?? false
  }

  /// - Parameter hashes: The hashes of each set's messages.
  ///
  /// - Throws: ``SessionSnapshotError/damaged``.
  init(
    _ saved: Saved, hashes: [StreamKey: Set<UInt64>], options: StreamOptions
  ) throws(SessionSnapshotError) {
    self.init(options: options)
    uses = saved.uses
    for item in saved.entries {
      guard entries[item.key] == nil, let kind = JournalSet.Kind(rawValue: item.kind),
        (0...options.samples + options.samplesPerSet).contains(item.samples)
      else { throw .damaged }
      var entry = Entry(kind: kind, identity: item.identity, session: item.session)
      entry.isEnded = item.isEnded
      entry.samples = item.samples
      entry.hashes = hashes[item.key] ?? []
      (entry.use, entry.begin) = (item.use, item.begin)
      entries[item.key] = entry
      join(item.key, entry)
      samples += entry.samples
      if entry.isEnded {
        endedSamples += entry.samples
        endedQueue.append(item.key, use: entry.use)
        if item.isExtended { members[entry.session]?.extended.insert(item.key) }
      } else {
        liveCount += 1
        liveQueue.append(item.key, use: entry.use)
      }
    }
  }
}
