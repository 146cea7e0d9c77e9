import ChunkDecoding
import Motion
import RecordingInput
import RepDetection
import TextFormats
import TimelineFormat
import WorkoutHistory

/// A subset of a stream's sets: the unit of parallel work. All messages of a set go to one shard.
final class StreamShard {
  private let options: StreamOptions
  private let journal: (any StreamJournal)?
  var sets: [StreamKey: StreamedSet] = [:]
  /// Open sets of the journal that have not received a message since the restart.
  private var journaled: [StreamKey: JournalSet] = [:]
  private var output = Output()
  /// Results, each with the sequence number of the message that caused it.
  struct Output {
    var events: [(sequence: Int, event: StreamEvent)] = []
    var opened: [(sequence: Int, set: JournalSet)] = []
    var entries: [(sequence: Int, entry: JournalEntry)] = []
    var snapshots: [(set: String, data: [UInt8])] = []
    var finalized: [(sequence: Int, recording: JournalBatch.Finalized)] = []
    var discarded: [(sequence: Int, key: String)] = []
    var failure: (any Error)?
  }

  init(options: StreamOptions, journal: (any StreamJournal)?) {
    self.options = options
    self.journal = journal
  }

  var setCount: Int { sets.count + journaled.count }
  var sampleByteCount: Int { sets.values.reduce(0) { $0 + $1.samples.byteCount } }

  func process(_ messages: [RoutedMessage]) -> Output {
    output = Output()
    for message in messages {
      do { try process(message) } catch { output.failure = output.failure ?? error }
    }
    if options.keepsJournal, !options.isSession { takeSnapshots(of: messages) }
    return output
  }

  private func takeSnapshots(of messages: [RoutedMessage]) {
    for message in messages {
      guard let set = sets[message.key], set.needsSnapshot, let snapshot = set.takeSnapshot() else {
        continue
      }
      output.snapshots.append((message.key.text, snapshot))
    }
  }

  private func process(_ message: RoutedMessage) throws {
    let emit = { (event: StreamEvent) in self.output.events.append((message.sequence, event)) }
    if let known = journaled.removeValue(forKey: message.key) {
      let (set, damage) = try loadMessages(known, as: message.key)
      // The set's resumption was already announced at the start.
      _ = set.takeResumeEvent()
      if let damage { emit(damage) }
    }
    sets[message.key]?.person = message.person
    switch message.operation {
    case .forget:
      sets[message.key] = nil
      return
    case .drop:
      sets[message.key] = nil
      output.discarded.append((message.sequence, message.key.text))
      return
    case .save:
      guard let set = sets[message.key] else { return }
      // The set has not ended yet if the final one was deleted in the meantime.
      if let recording = set.isEnded ? set.saveExtension(emit) : set.end(emit) {
        finalize(set, recording, message)
      } else {
        discardEmpty(set, message)
      }
      return
    case .becomeRest where sets[message.key] == nil:
      try becomeRest(message, emit)
      return
    default: break
    }
    let set = try sets[message.key] ?? open(message)
    switch message.operation {
    case .open, .save, .forget, .drop: break
    case .health(let reading):
      guard let source = message.source, set.receive(reading, hash: source.messageHash) else {
        break
      }
      keep(message, of: set)
    case .chunk(let chunk): receive(chunk, in: set, message, emit)
    case .end, .cut: try end(set, message, emit)
    case .becomeRest:
      if let recording = set.becomeRest(emit) {
        finalize(set, recording, message)
      } else if options.keepsJournal, !set.isEnded {
        output.opened.append((message.sequence, set.journalSet))
      }
    }
  }

  private func end(
    _ set: StreamedSet, _ message: RoutedMessage, _ emit: (StreamEvent) -> Void
  ) throws {
    // A set that was final before a restart may have been extended since.
    let wasEnded = set.isEnded
    if !wasEnded, options.keepsJournal { try joinSavedMeanwhile(set) }
    if let recording = wasEnded ? set.saveExtension(emit) : set.end(emit) {
      var continuation: JournalSet?
      if case .cut = message.operation, !wasEnded { continuation = set.cutSet }
      finalize(set, recording, message, continuation: continuation)
      for event in set.takeHeldAcknowledgements() { emit(event) }
    } else {
      discardEmpty(set, message)
    }
  }

  /// Discards a set that was not declared and has no samples, such as heart rate between two sets.
  private func discardEmpty(_ set: StreamedSet, _ message: RoutedMessage) {
    guard !set.isWorthKeeping else { return }
    output.discarded.append((message.sequence, set.key.text))
    set.isJournaled = false
    set.dropHealth()
  }

  private func open(_ message: RoutedMessage) throws -> StreamedSet {
    if let known = try known(message) { return known }
    let set = StreamedSet(
      key: message.key, kind: message.kind, identity: message.identity, options: options)
    set.person = message.person
    if options.keepsJournal {
      output.opened.append((message.sequence, set.journalSet))
      set.isJournaled = true
    }
    sets[message.key] = set
    return set
  }

  /// Loads a set that an earlier run left in the store or that this run evicted; returns nil if there is
  /// none.
  private func known(_ message: RoutedMessage) throws -> StreamedSet? {
    guard let journal else { return nil }
    let set: StreamedSet
    if let cut = try journal.cutSet(message.key.text) {
      set = try resume(cut, as: message.key).set
      set.person = message.person
      if message.kind == .rest { _ = set.becomeRest { _ in } }
    } else if let archived = try journal.finalizedRecording(
      ofStreamed: message.key.text, identity: message.identity)
    {
      set = StreamedSet(
        key: message.key, kind: message.kind, identity: message.identity, options: options)
      set.person = message.person
      set.restore(archived, isEnded: true)
    } else {
      return nil
    }
    sets[message.key] = set
    return set
  }

  /// Turns a session with detected sets from an earlier run into rest, since it now has declared sets.
  private func becomeRest(_ message: RoutedMessage, _ emit: (StreamEvent) -> Void) throws {
    guard let set = try known(message) else { return }
    let isCut = !set.isEnded
    if isCut { _ = set.end { _ in } }
    if set.kind == .found, let recording = set.becomeRest(emit) {
      finalize(set, recording, message, continuation: isCut ? set.cutSet : nil)
    }
    // The router does not have the set, since no message was addressed to it.
    sets[message.key] = nil
  }

  /// Merges a set that another program saved while it was open here, so that nothing is lost.
  private func joinSavedMeanwhile(_ set: StreamedSet) throws {
    guard set.kind == .declared, !set.wasFinalized, set.identity.setId != nil,
      let saved = try journal?.finalizedRecording(ofStreamed: set.key.text, identity: set.identity)
    else { return }
    set.join(saved.recording)
  }

  private func receive(
    _ chunk: DecodedChunk, in set: StreamedSet, _ message: RoutedMessage,
    _ emit: (StreamEvent) -> Void
  ) {
    guard let source = message.source else { return }
    let reception = set.receive(
      chunk, hash: source.messageHash, controlUnixTime: message.controlUnixTime, emit)
    switch reception {
    case .added, .extended: keep(message, of: set)
    case .revised(let recording):
      if options.isSession { keep(message, of: set) }
      finalize(set, recording, message)
    case .unchanged: if options.isSession { keep(message, of: set) }
    case .repeated: break
    }
    guard options.keepsJournal, !options.isSession else { return }
    let acknowledgement = StreamEvent(
      .ack(
        chunkId: source.chunkId, sha256: source.chunkId == nil ? source.sha256 : nil, messageId: nil
      ),
      identity: set.identity, line: source.line)
    if options.acknowledgement == .finalized, !set.isEnded {
      for event in set.hold(acknowledgement, of: chunk) { emit(event) }
    } else {
      emit(acknowledgement)
    }
  }

  /// Passes a set to the history and deletes it from the journal, except for a continuation.
  private func finalize(
    _ set: StreamedSet, _ recording: Recording, _ message: RoutedMessage,
    continuation: JournalSet? = nil
  ) {
    guard options.keepsJournal else { return }
    set.isJournaled = false
    do {
      var finalized = JournalBatch.Finalized(
        key: set.key.text,
        recording: try PreparedRecording(recording, sets: set.finalSets, options.storage),
        continuation: continuation)
      finalized.person = message.person.map { HistoryUser.Key($0) }
      output.finalized.append((message.sequence, finalized))
    } catch {
      output.failure = output.failure ?? error
    }
  }

  private func keep(_ message: RoutedMessage, of set: StreamedSet) {
    guard options.keepsJournal, let source = message.source else { return }
    if !set.isJournaled {
      output.opened.append((message.sequence, set.journalSet))
      set.isJournaled = true
    }
    var phase: WorkoutPhase?
    var data = source.bytes
    if case .chunk(let chunk) = message.operation {
      phase = chunk.phase
      if let packed = set.takeNewestChunk()?.journalBytes(hash: source.messageHash) {
        data = packed
      }
    }
    let progress = set.progress
    var entry = JournalEntry(
      setKey: message.key.text, part: source.part, sessionId: progress.identity.sessionId,
      exerciseId: progress.identity.exerciseId, phase: phase,
      controlUnixTime: message.controlUnixTime, data: data)
    entry.progress = progress
    output.entries.append((message.sequence, entry))
  }

  // MARK: - Recovery

  struct Recovered: Sendable {
    var samples: Int
    var isEnded: Bool
    var events: [StreamEvent] = []
  }

  /// Resumes an open set without repeating earlier events. Its messages are read with the next one, so that
  /// startup does not wait for thousands of sets. If an older version journaled no progress, they are read at
  /// once.
  func recover(_ known: JournalSet, as key: StreamKey) throws -> Recovered {
    // A renamed set's messages can be read under the new name only once that is committed.
    guard let progress = known.progress, known.key == key.text else {
      let (set, damage) = try loadMessages(known, as: key)
      return Recovered(
        samples: set.samples.count, isEnded: set.isEnded,
        events: [damage, set.takeResumeEvent()].compactMap { $0 })
    }
    journaled[key] = known
    let isAnnounced = known.kind == .declared && known.state == .open && progress.time != nil
    return Recovered(
      samples: progress.samples, isEnded: known.state == .ended,
      events: isAnnounced ? [StreamEvent(recovered: progress, key: key)] : [])
  }

  /// Reads the messages of an open set.
  ///
  /// - Returns: The set, and an event if some of its messages cannot be read.
  private func loadMessages(
    _ known: JournalSet, as key: StreamKey
  ) throws -> (set: StreamedSet, damage: StreamEvent?) {
    let (set, damaged) = try resume(known, as: key)
    sets[key] = set
    set.isJournaled = true
    guard damaged > 0 else { return (set, nil) }
    return (
      set,
      StreamEvent(
        .error(
          kind: "damagedJournal",
          message: "\(damaged) acknowledged messages cannot be read back from the journal",
          byteOffset: nil), identity: set.identity)
    )
  }

  /// Returns a set in the state that the journal last recorded.
  private func resume(
    _ journaled: JournalSet, as key: StreamKey, usesSnapshot: Bool = true
  ) throws -> (set: StreamedSet, damaged: Int) {
    let set = StreamedSet(
      key: key, kind: journaled.kind, identity: journaled.identity, options: options)
    guard let journal else { return (set, 0) }
    var snapshot =
      usesSnapshot && journaled.state == .open && journaled.kind != .rest
      ? try journal.snapshot(ofSet: journaled.key) : nil
    if let known = snapshot, !set.expectSnapshot(known.data) { snapshot = nil }
    let archived = try journal.finalizedRecording(
      ofStreamed: journaled.key, identity: SetIdentity(sessionId: journaled.identity.sessionId))
    if let archived, journaled.joinsHistory {
      set.restore(
        archived, isEnded: journaled.state == .ended,
        isDatedBySending: journaled.isDatedBySending)
    }
    var damaged = 0
    var isCountedOn = snapshot == nil
    try journal.forEachEntry(ofSet: journaled.key) { entry in
      guard !entry.isDamaged, let message = DecodedInput.journaled(entry, options: options.decoding)
      else {
        damaged += 1
        return
      }
      switch message {
      case .health(let reading, let hash): _ = set.receive(reading, hash: hash)
      case .chunk(var chunk, let packed, let hash):
        chunk.identity = SetIdentity(
          sessionId: entry.sessionId, exerciseId: entry.exerciseId,
          setId: journaled.identity.setId)
        chunk.phase = entry.phase
        set.replay(chunk, packed: packed, hash: hash, controlUnixTime: entry.controlUnixTime)
      }
      if entry.id == snapshot?.entry {
        set.resumeFromSnapshot()
        isCountedOn = true
      }
    }
    // The snapshot covers unreadable messages, or is newer than the last readable one: count from the start.
    if snapshot != nil, damaged > 0 || !isCountedOn {
      return try resume(journaled, as: key, usesSnapshot: false)
    }
    if let archived, !journaled.joinsHistory { set.noteAnnounced(archived.sets) }
    return (set, damaged)
  }
}
