import ChunkDecoding
import Motion
import MovementAnalysis
import RecordingInput
import RepDetection
import WorkoutHistory

/// A declared set, or the samples of a session outside of declared sets, in memory.
///
/// `docs/architecture.md` has the table of its states.
final class StreamedSet {
  /// The answer about an ended set.
  struct FinalAnswer: Codable {
    var sets: [CountedSet] = []
    /// Hash of the samples that were counted; nil if the set was extended by rest since.
    var contentHash: UInt64?
    /// The rest after the last rep, in seconds on the samples' clock.
    var rest: ClosedRange<Double>?
    /// Number of revisions since the end.
    var revisions = 0

    init(_ sets: [CountedSet] = []) { self.sets = sets }

    /// Records the recording to which the answer applies.
    mutating func note(_ recording: Recording) {
      contentHash = recording.contentHash
      rest = nil
      let times = recording.samples.times
      let scale = recording.samples.units.time.unitsPerSecond
      if let span = recording.phases.last, span.phase == .rest, span.rows.upperBound == times.count
      {
        rest = (times[span.rows.lowerBound] / scale)...(times[times.count - 1] / scale)
      }
    }
  }

  enum State {
    /// The set accepts samples, and live detection runs.
    case open(OpenSet)
    /// The set has ended, and the history has the answer.
    case final(FinalAnswer)
    /// The set was extended after its end. It must be saved, and recounted if it has uncounted samples.
    case stale(FinalAnswer, uncounted: Int)
  }

  let key: StreamKey
  let options: StreamOptions
  var kind: JournalSet.Kind
  private(set) var identity: SetIdentity
  /// The session's person; nil for the store's owner.
  var person: String?
  var state: State
  var samples: SetSamples
  var announced = Announcements()
  var held = HeldAcknowledgements()
  /// True if the journal has the row ``journalSet``.
  var isJournaled = false
  /// True if the set's first samples are in the history.
  var joinsHistory = false

  init(key: StreamKey, kind: JournalSet.Kind, identity: SetIdentity, options: StreamOptions) {
    self.key = key
    self.kind = kind
    self.identity = identity
    self.options = options
    samples = SetSamples(options: options)
    state = .open(OpenSet(kind: kind, options: options))
  }

  /// The live side; nil once the set has ended.
  var open: OpenSet? {
    if case .open(let open) = state { open } else { nil }
  }

  var isEnded: Bool { open == nil }

  var finalSets: [CountedSet] {
    switch state {
    case .open: []
    case .final(let answer), .stale(let answer, _): answer.sets
    }
  }

  /// True if the set has samples or was declared; a declared set may be empty.
  var isWorthKeeping: Bool { kind == .declared || !samples.chunks.isEmpty }

  /// True if an earlier run announced the result of this declared set.
  var wasFinalized: Bool { announced.declared != nil }

  // MARK: - Earlier runs

  /// Restores the set from the history, before it receives anything else.
  ///
  /// - Parameters:
  ///   - isEnded: Whether the set has ended; otherwise it resumes.
  ///   - isDatedBySending: Whether its date is the time when a chunk was sent.
  func restore(_ archived: FinalizedRecording, isEnded: Bool, isDatedBySending: Bool = false) {
    let recording = archived.recording
    joinsHistory = true
    identity = recording.identity.joined(with: identity)
    samples.replaceHealth(by: recording.health)
    let chunks = recording.chunksByPhase(isDatedBySending: isDatedBySending)
    if !isEnded {
      for chunk in chunks { replay(chunk, hash: nil, controlUnixTime: nil) }
    }
    noteAnnounced(archived.sets)
    samples.add(archived: recording, chunks: isEnded ? chunks : [])
    guard isEnded else { return }
    if kind == .found, archived.sets.isEmpty, archived.hasDeclaredNeighbors { kind = .rest }
    var answer = FinalAnswer(archived.sets)
    answer.note(recording)
    state = .final(answer)
  }

  /// Replays a message of an earlier run without emitting events.
  func replay(
    _ chunk: DecodedChunk, packed: PackedSamples? = nil, hash: UInt64?, controlUnixTime: Double?
  ) {
    switch state {
    case .open(let open):
      guard samples.isNew(hash) else { return }
      let added = samples.add(
        chunk, packed: packed, controlUnixTime: controlUnixTime, compresses: false)
      identity = identity.joined(with: chunk.identity)
      count(added, open) { _ in }
    case .final(let answer): replay(chunk, hash: hash, to: answer, uncounted: 0)
    case .stale(let answer, let uncounted):
      replay(chunk, hash: hash, to: answer, uncounted: uncounted)
    }
  }

  private func replay(
    _ chunk: DecodedChunk, hash: UInt64?, to answer: FinalAnswer, uncounted: Int
  ) {
    _ = samples.isNew(hash)
    samples.addEnded(chunk)
    state = .stale(answer, uncounted: uncounted + chunk.samples.count)
  }

  /// Records the results that an earlier run announced when its input ended.
  func noteAnnounced(_ sets: [CountedSet]) {
    guard kind == .declared else { return announced.noteResumed(sets) }
    announced.declared = sets.first
    open?.hasStarted = true
    open?.needsResumeEvent = true
  }

  /// Returns a `setStarted` event for readers of a restarted program, once.
  func takeResumeEvent() -> StreamEvent? {
    guard kind == .declared, let open, open.hasStarted else { return nil }
    open.needsResumeEvent = false
    return StreamEvent(recovered: progress, key: key)
  }

  // MARK: - Receiving

  enum Reception {
    /// The message is a byte-for-byte repetition.
    case repeated
    case added
    /// The set had ended, and was recounted.
    case revised(Recording)
    /// The set had ended, and was extended; saving it can wait.
    case extended
    /// The set had ended, and the message adds nothing.
    case unchanged
  }

  /// - Parameter hash: The hash of the message.
  func receive(
    _ chunk: DecodedChunk, hash: UInt64, controlUnixTime: Double?, _ emit: (StreamEvent) -> Void
  ) -> Reception {
    guard samples.isNew(hash) else { return .repeated }
    let added = samples.add(chunk, packed: nil, controlUnixTime: controlUnixTime, compresses: true)
    identity = identity.joined(with: added.chunk.identity)
    switch state {
    case .open(let open):
      count(added, open, emit)
      return .added
    case .final(let answer): return extend(answer, uncounted: 0, by: added, emit)
    case .stale(let answer, let uncounted):
      return extend(answer, uncounted: uncounted, by: added, emit)
    }
  }

  /// - Returns: False if the reading was received before.
  func receive(_ reading: HealthReading, hash: UInt64) -> Bool {
    guard samples.isNew(hash) else { return false }
    samples.add(reading)
    if case .final(let answer) = state, isWorthKeeping { state = .stale(answer, uncounted: 0) }
    return true
  }

  // MARK: - Counting along

  private func count(
    _ added: (chunk: DecodedChunk, live: DecodedChunk, stored: StoredChunk), _ open: OpenSet,
    _ emit: (StreamEvent) -> Void
  ) {
    guard let first = added.stored.first, let last = added.stored.last else { return }
    if kind == .declared { start(open, at: first, emit) }
    let isApproximate =
      added.chunk.timeResolution == .wholeSeconds || added.chunk.gravityIsUncertain
    let isRestarted = open.feed.add(
      added.live, isApproximate: isApproximate, at: samples.chunks.count - 1, first: first,
      last: last, stored: liveChunk, deliver: { deliver($0, to: open, emit) })
    guard isRestarted else { return }
    emit(
      event(
        .warning(kind: "clock", message: "the clock was set back; live detection begins anew"),
        at: first))
  }

  func start(_ open: OpenSet, at time: Double?, _ emit: (StreamEvent) -> Void) {
    guard !open.hasStarted else { return }
    open.hasStarted = true
    emit(event(.setStarted(cause: .declared, start: nil, isRecovered: false), at: time))
  }

  func liveChunk(_ index: Int) -> DecodedChunk {
    samples.chunks[index].chunk.withRebuiltTimes()
  }

  func deliver(_ delivery: LiveFeed.Delivery, to open: OpenSet, _ emit: (StreamEvent) -> Void) {
    let times = delivery.samples.times
    let scale = delivery.samples.units.time.unitsPerSecond
    let first = times.first.map { $0 / scale }
    if open.needsResumeEvent {
      open.needsResumeEvent = false
      emit(event(.setStarted(cause: .declared, start: nil, isRecovered: true), at: first))
      // The end of the input may have counted an unfinished rep. Live counting resumes from its own count.
      if let count = open.declaredCount?.announced.count, let told = announced.declared,
        count != told.reps.count
      {
        emit(event(.repCorrected(count: count), at: first))
      }
    }
    if let gap = delivery.gap {
      emit(event(.gap(start: gap.start, end: gap.end), at: (times.last ?? gap.end) / scale))
    }
    if let now = delivery.phase {
      if let before = open.phase, before != now, let first {
        emit(event(.phase(from: before, to: now), at: first))
      }
      open.phase = now
    }
    open.append(delivery) { announce($0, at: $1, number: $2, open, emit) }
  }

  /// Announces a live event, unless it was announced before the end of an earlier input.
  func announce(
    _ kind: StreamEvent.Kind, at time: Double?, number: Int?, _ open: OpenSet,
    _ emit: (StreamEvent) -> Void
  ) {
    guard let number else { return emit(event(kind, at: time)) }
    switch kind {
    case .setStarted(_, let start, _): open.openStart = start ?? time
    case .setEnded, .setCancelled: open.openStart = nil
    default: break
    }
    if let kind = announced.live(kind, number: number) {
      emit(event(kind, at: time, setNumber: number))
    }
  }

  func event(_ kind: StreamEvent.Kind, at time: Double?, setNumber: Int? = nil) -> StreamEvent {
    let dates = samples.dates
    var event = StreamEvent(
      kind, identity: identity, setNumber: setNumber, time: time,
      clock: time == nil ? nil : dates.clock,
      unixTime: time.flatMap { dates.unixTime(at: $0) })
    event.setKey = key.name(identity, detected: setNumber)?.globalKey
    event.userId = person
    switch kind {
    case .setEnded(let set), .setRevised(let set, _):
      event.exerciseCandidate = exerciseCandidate(for: set)
    default: break
    }
    return event
  }

  func emit(_ items: [Announcements.Item], at time: Double?, _ emit: (StreamEvent) -> Void) {
    for (kind, number) in items { emit(event(kind, at: time, setNumber: number)) }
  }

  /// Returns the known exercise that a set resembles, if no message names one.
  private func exerciseCandidate(for set: CountedSet) -> ExerciseCandidate? {
    guard identity.exerciseId == nil, set.reps.count > 1,
      let known = options.knownMovements?.movements(of: person ?? "")
    else { return nil }
    return known.candidate(
      for: set, in: samples.samples(around: set), unixTime: samples.dates.unixTime(at: set.start))
  }
}
