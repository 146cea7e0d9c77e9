import Motion
import RecordingInput
import WorkoutHistory

/// The sets and sessions in memory. Tracks their sizes, and decides which are finalized or evicted when
/// there are too many.
struct SetRegistry {
  /// A set or session that is in memory.
  struct Entry {
    var kind: JournalSet.Kind
    var identity: SetIdentity
    var session: String
    var isEnded = false
    /// Number of distinct samples and health readings.
    var samples = 0
    /// Hashes of the messages received.
    var hashes: Set<UInt64> = []
    /// True if the journal has messages of an earlier run whose hashes were not read yet.
    var hasJournaledMessages = false
    /// Sequence number of the last message.
    var use = 0
    /// Sequence number of the first message; sets end in this order.
    var begin = 0
    /// The batch in which the set ended or changed last.
    var endBatch = 0
  }

  /// A set or session to be finalized, saved or evicted to stay within the limits.
  enum Order {
    case finalize(StreamKey, reason: String)
    case save(StreamKey)
    case forget(StreamKey)
  }

  private let options: StreamOptions
  var entries: [StreamKey: Entry] = [:]
  var members: [String: SessionMembers] = [:]
  var uses = 0
  var liveCount = 0
  var samples = 0
  /// The part of `samples` in ended sets, which can be evicted once the store, if any, has it for certain.
  var endedSamples = 0
  var liveQueue = UseQueue()
  var endedQueue = UseQueue()
  /// The current batch, and the one in which the sets next to be evicted were last saved.
  private(set) var batch = 0
  private var leavingBatch = -1

  init(options: StreamOptions) {
    var options = options
    // Beyond any memory's capacity, but sums cannot overflow.
    options.liveSets = min(options.liveSets, 1 << 40)
    options.endedSets = min(options.endedSets, 1 << 40)
    self.options = options
  }

  subscript(key: StreamKey) -> Entry? { entries[key] }

  var endedCount: Int { entries.count - liveCount }
  /// Maximum number of sessions whose facts are kept in memory.
  var sessionLimit: Int { 2 * options.liveSets + options.endedSets }

  mutating func beginBatch() { batch += 1 }

  // MARK: - Members

  func hasMembers(_ session: String) -> Bool { members[session] != nil }

  func liveKeys(of session: String) -> [StreamKey] {
    members[session]?.live.values.flatMap { $0 } ?? []
  }

  func liveKeys(of session: String, exercise: String) -> [StreamKey] {
    Array(members[session]?.live[exercise.uppercased()] ?? [])
  }

  func extendedKeys(of session: String) -> [StreamKey] {
    Array(members[session]?.extended ?? [])
  }

  /// Returns keys in the order in which their sets began.
  func inOrder(_ keys: [StreamKey]) -> [StreamKey] {
    keys.sorted { (entries[$0]?.begin ?? 0) < (entries[$1]?.begin ?? 0) }
  }

  mutating func join(_ key: StreamKey, _ entry: Entry) {
    members[entry.session, default: SessionMembers()].count += 1
    guard !entry.isEnded else { return }
    members[entry.session]?.insertLive(key, exercise: entry.identity.exerciseId)
  }

  private mutating func leave(_ key: StreamKey, _ entry: Entry) {
    members[entry.session]?.removeLive(key, exercise: entry.identity.exerciseId)
    members[entry.session]?.extended.remove(key)
    members[entry.session]?.count -= 1
    if members[entry.session]?.isEmpty == true { members[entry.session] = nil }
  }

  /// Moves a set that began without a session to the one that names it.
  mutating func move(_ key: StreamKey, to session: String) {
    guard var entry = entries[key], entry.session != session else { return }
    leave(key, entry)
    entry.session = session
    entries[key] = entry
    join(key, entry)
  }

  // MARK: - Changes

  /// Records a message for a set or session.
  ///
  /// - Returns: Whether it is new.
  mutating func touch(
    _ key: StreamKey, kind: JournalSet.Kind, identity: SetIdentity, session: String
  ) -> Bool {
    uses += 1
    let isNew = entries[key] == nil
    if isNew {
      var entry = Entry(kind: kind, identity: identity, session: session)
      entry.begin = uses
      entries[key] = entry
      liveCount += 1
      join(key, entry)
    }
    entries[key]?.use = uses
    if entries[key]?.isEnded == true {
      endedQueue.append(key, use: uses)
    } else {
      liveQueue.append(key, use: uses)
    }
    return isNew
  }

  mutating func becomeRest(_ key: StreamKey) { entries[key]?.kind = .rest }

  /// Records a message's hash. Returns whether the message was received before.
  mutating func isRepeated(
    _ hash: UInt64, of key: StreamKey, journaled: (StreamKey) -> Set<UInt64>
  ) -> Bool {
    if entries[key]?.hasJournaledMessages == true {
      entries[key]?.hasJournaledMessages = false
      entries[key]?.hashes = journaled(key)
    }
    return entries[key]?.hashes.contains(hash) ?? false
  }

  func hasRoom(for count: Int, in key: StreamKey) -> Bool {
    (entries[key]?.samples ?? 0) + count <= options.samplesPerSet
  }

  mutating func add(_ count: Int, hash: UInt64, to key: StreamKey) {
    entries[key]?.hashes.insert(hash)
    entries[key]?.samples += count
    samples += count
    guard let entry = entries[key], entry.isEnded else { return }
    endedSamples += count
    members[entry.session]?.extended.insert(key)
    entries[key]?.endBatch = batch
  }

  mutating func end(_ key: StreamKey) {
    guard let entry = entries[key], !entry.isEnded else { return }
    entries[key]?.isEnded = true
    entries[key]?.endBatch = batch
    endedSamples += entry.samples
    members[entry.session]?.removeLive(key, exercise: entry.identity.exerciseId)
    liveCount -= 1
    endedQueue.append(key, use: entry.use)
  }

  mutating func noteSaved(_ key: StreamKey) {
    guard let entry = entries[key] else { return }
    members[entry.session]?.extended.remove(key)
    entries[key]?.endBatch = batch
  }

  func isExtended(_ key: StreamKey) -> Bool {
    entries[key].map { members[$0.session]?.extended.contains(key) ?? false } ?? false
  }

  mutating func remove(_ key: StreamKey) {
    guard let entry = entries[key] else { return }
    samples -= entry.samples
    if entry.isEnded { endedSamples -= entry.samples } else { liveCount -= 1 }
    entries[key] = nil
    leave(key, entry)
  }

  /// Loads a set from an earlier run.
  mutating func load(
    _ set: JournalSet, as key: StreamKey, session: String, samples count: Int, isEnded: Bool
  ) {
    uses += 1
    var entry = Entry(kind: set.kind, identity: set.identity, session: session)
    entry.begin = uses
    entry.use = uses
    entry.samples = count
    entry.hasJournaledMessages = true
    entry.isEnded = isEnded
    entries[key] = entry
    samples += count
    join(key, entry)
    if isEnded {
      endedSamples += count
      members[session]?.extended.insert(key)
      endedQueue.append(key, use: uses)
    } else {
      liveCount += 1
      liveQueue.append(key, use: uses)
    }
  }

  // MARK: - Limits

  /// Returns the next step to stay within the limits; nil if they hold, or if the store must catch up first.
  mutating func nextOrder() -> Order? {
    if liveCount > options.liveSets, let key = idlest() {
      return .finalize(key, reason: "more than \(options.liveSets) sets")
    }
    if endedCount > options.endedSets || samples > options.samples {
      if let order = oldest() { return order }
      if let key = nextToEvict() { return .save(key) }
    }
    if samples - endedSamples > options.samples, let key = idlest() {
      return .finalize(key, reason: "more than \(options.samples) samples in memory")
    }
    return nil
  }

  /// Returns the least recently active open set.
  private mutating func idlest() -> StreamKey? {
    while let (key, use) = liveQueue.popFirst() {
      if let entry = entries[key], !entry.isEnded, entry.use == use { return key }
    }
    return nil
  }

  /// Returns the order to evict the least recently active ended set, once the store is certain to have it,
  /// or to save its extension first.
  private mutating func oldest() -> Order? {
    while let (key, use) = endedQueue.popFirst() {
      guard let entry = entries[key], entry.isEnded, entry.use == use else { continue }
      if isExtended(key) {
        endedQueue.prepend(key, use: use)
        return .save(key)
      }
      guard !options.keepsJournal || options.isSession || entry.endBatch + 6 <= batch else {
        endedQueue.prepend(key, use: use)
        return nil
      }
      return .forget(key)
    }
    return nil
  }

  /// Returns the next extended set among those that will be evicted soon. All are saved in one batch, since
  /// each must wait until the store has it.
  private mutating func nextToEvict() -> StreamKey? {
    guard options.keepsJournal, !options.isSession, leavingBatch != batch else { return nil }
    var sets = endedCount - options.endedSets
    var count = samples - options.samples
    for (key, use) in endedQueue.waiting {
      guard sets > 0 || count > 0 else { break }
      guard let entry = entries[key], entry.isEnded, entry.use == use else { continue }
      if isExtended(key) { return key }
      sets -= 1
      count -= entry.samples
    }
    leavingBatch = batch
    return nil
  }

  /// Removes stale entries from the queues once there are many.
  mutating func compact() {
    let entries = entries
    liveQueue.compact { key, use in entries[key].map { !$0.isEnded && $0.use == use } ?? false }
    endedQueue.compact { key, use in entries[key].map { $0.isEnded && $0.use == use } ?? false }
  }
}
