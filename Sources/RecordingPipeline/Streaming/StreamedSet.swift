import ChunkDecoding
import Motion
import RecordingInput
import RepDetection
import TimelineFormat
import WorkoutHistory

/// A declared set, or the samples of a session outside of declared sets, as a stream brings it.
final class StreamedSet {
  let key: StreamKey
  let options: StreamOptions
  private(set) var kind: JournalSet.Kind
  private(set) var identity: SetIdentity
  /// The person of its session; nil for the owner of the store.
  var person: String?
  private(set) var isEnded = false
  private(set) var chunks: [StoredChunk] = []
  /// The chunk received last, before it was compressed, for the journal.
  private var lastChunk: StoredChunk?
  /// Chunks before this one are compressed; those behind it have so many samples.
  private var compressedChunks = 0
  private var packedSamples = 0
  /// While messages of an earlier run come once more.
  private var isTakenUp = false
  private var hashes: Set<UInt64> = []
  var health: [HealthReading] = []

  // While it is under way.
  private var feed: LiveFeed
  private var declaredCount: DeclaredCount?
  private var foundSets: FoundSets?
  private(set) var hasStarted = false
  private var phase: WorkoutPhase?
  private var dates = DateRelation()
  /// Whether it goes on after the end of an earlier input, and nobody was told yet.
  private var goesOnUnsaid = false
  /// What was said of the sets that were found, in order; nil where one has not ended.
  private var said: [CountedSet?] = []
  /// The number of the set whose count live detection corrected last: its reps are told again.
  private var correctedNumber: Int?

  /// Where a found set begins that has not ended, s on the samples' clock.
  private var openStart: Double?
  /// Samples that live detection has seen since its state was written.
  private var samplesSinceSnapshot = 0
  /// While messages of an earlier run come once more: the state of live detection behind them.
  private var snapshot: LiveSnapshot?
  private var held = HeldAcknowledgements()

  // For the journal.
  /// Whether the journal has its row as ``journalSet`` has it.
  var isJournaled = false
  /// Whether its samples begin in the history.
  private var joinsHistory = false
  /// Whether the end of an earlier input finalized it.
  private(set) var wasFinalized = false
  /// Whether a history keeps all that its chunks say, so that it can go on from there.
  private var isPlain = true
  private var units: MotionUnits?
  private var hasDatedChunk = false
  /// The times of what a history holds with bounded errors, s: what comes again with its exact values
  /// is no other sample.
  private var approximateTimes: [Double] = []
  private var isBounded: Bool { options.storage.precision != .lossless }

  /// The rest behind the last rep that has finalized, s on the samples' clock.
  private var finalizedRest: ClosedRange<Double>?
  /// Whether it was extended since it was saved.
  private var isExtended = false
  /// Revisions since it ended, and the samples that came since the last one.
  private var revisions = 0
  private var postponedSamples = 0

  /// The finalized answer, once there is one.
  private(set) var finalSets: [CountedSet] = []
  /// Of the finalized samples.
  private var finalizedHash: UInt64?

  init(key: StreamKey, kind: JournalSet.Kind, identity: SetIdentity, options: StreamOptions) {
    self.key = key
    self.kind = kind
    self.identity = identity
    self.options = options
    feed = LiveFeed(waitSeconds: options.gapWaitSeconds)
    beginCount()
  }

  /// Takes up what the history holds of it, before anything else is received.
  ///
  /// - Parameters:
  ///   - isEnded: What follows joins it as late chunks do; otherwise it goes on.
  ///   - isDatedBySending: Its date is that of a chunk's sending.
  func restore(_ archived: FinalizedRecording, isEnded: Bool, isDatedBySending: Bool = false) {
    joinsHistory = true
    identity = archived.recording.identity.joined(with: identity)
    health = archived.recording.health
    hasStarted = true
    for chunk in archived.recording.chunksByPhase(isDatedBySending: isDatedBySending) {
      if isEnded {
        keep(StoredChunk(chunk))
      } else {
        receiveAgain(chunk, hash: nil, controlUnixTime: nil)
      }
    }
    noteSaid(archived.sets)
    note(archived.recording)
    dates.note(archived.recording)
    if isBounded { approximateTimes = archived.recording.sampleTimesSeconds }
    guard isEnded else { return }
    self.isEnded = true
    finalSets = archived.sets
    if kind == .found, archived.sets.isEmpty, archived.hasDeclaredNeighbors { kind = .rest }
    declaredCount = nil
    foundSets = nil
  }

  /// Takes a message of an earlier run once more, without a word.
  func receiveAgain(
    _ chunk: DecodedChunk, packed: PackedSamples? = nil, hash: UInt64?, controlUnixTime: Double?
  ) {
    isTakenUp = true
    defer { isTakenUp = false }
    if isEnded {
      if let hash { hashes.insert(hash) }
      noteContents(of: chunk)
      keep(StoredChunk(chunk))
      isExtended = true
      postponedSamples += chunk.samples.count
    } else {
      _ = receive(chunk, packed: packed, hash: hash, controlUnixTime: controlUnixTime) { _ in }
    }
  }

  /// What an earlier run said of its sets when its input ended.
  func noteSaid(_ sets: [CountedSet]) {
    correctedNumber = nil
    wasFinalized = true
    if kind == .declared {
      hasStarted = true
      finalSets = sets
      goesOnUnsaid = !isEnded
    } else {
      for (index, set) in sets.enumerated() {
        if index >= said.count { said.append(set) } else { said[index] = said[index] ?? set }
      }
    }
  }

  // MARK: - Snapshots

  /// Whether the journal is to get the state of live detection.
  var needsSnapshot: Bool {
    guard !isEnded, samplesSinceSnapshot >= options.samplesBetweenSnapshots,
      let detector = declaredCount?.detector ?? foundSets?.detector
    else { return false }
    // That of a long declared set is large: it is worth no more than the samples since the last one.
    return Self.sampleBytes * samplesSinceSnapshot >= detector.approximateSetByteCount
  }

  /// About what a sample takes in the journal.
  private static let sampleBytes = 32

  /// The state of live detection, for ``expectSnapshot(_:)``.
  func takeSnapshot() -> [UInt8]? {
    samplesSinceSnapshot = 0
    return LiveSnapshot(
      declaredCount: declaredCount, foundSets: foundSets, said: said, openStart: openStart
    ).bytes
  }

  /// What is received from now on was counted already: that of an earlier run, up to
  /// ``goOnFromSnapshot()``.
  ///
  /// - Returns: false where the bytes are of no use; then all is counted anew.
  func expectSnapshot(_ bytes: [UInt8]) -> Bool {
    snapshot = LiveSnapshot(bytes, configuration: options.detector)
    return snapshot != nil
  }

  func goOnFromSnapshot() {
    guard let snapshot else { return }
    (declaredCount, foundSets) = (snapshot.declaredCount, snapshot.foundSets)
    (said, openStart) = (snapshot.said, snapshot.openStart)
    samplesSinceSnapshot = 0
    self.snapshot = nil
  }

  private func beginCount() {
    declaredCount = kind == .declared ? DeclaredCount(configuration: options.detector) : nil
    foundSets = kind == .found ? FoundSets(configuration: options.detector) : nil
  }

  // MARK: - Receiving

  enum Reception {
    /// It came before, byte for byte.
    case repeated
    case added
    /// It joined what had finalized already. The finalized answer is in ``finalSets``.
    case revised(Recording)
    /// It joined what had finalized, and only adds to the rest behind it: saving can wait.
    case extended
    /// It came late and brought nothing new.
    case unchanged
  }

  /// - Parameters:
  ///   - packed: its samples, where they are packed already.
  ///   - hash: of the message; nil where it is not known.
  func receive(
    _ chunk: DecodedChunk, packed: PackedSamples? = nil, hash: UInt64?, controlUnixTime: Double?,
    _ emit: (StreamEvent) -> Void
  ) -> Reception {
    if let hash, !hashes.insert(hash).inserted { return .repeated }
    let isWhole = approximateTimes.isEmpty
    let chunk = isWhole ? chunk : chunk.without(samplesNear: approximateTimes)
    identity = identity.joined(with: chunk.identity)
    dates.note(chunk, controlUnixTime: controlUnixTime)
    noteContents(of: chunk)
    let live = chunk.withRebuiltTimes()
    let stored = StoredChunk(
      chunk, liveTimes: live.samples.times, packed: isWhole ? packed : nil)
    keep(stored)
    if isEnded {
      if let extended = extendRest(by: chunk, stored, emit) { return extended }
      return revise(after: stored.count, emit)
    }
    guard let first = stored.first, let last = stored.last else { return .added }
    if kind == .declared, !hasStarted { start(at: first, emit) }
    let isRestarted = feed.add(
      live, isApproximate: chunk.timeResolution == .wholeSeconds || chunk.gravityIsUncertain,
      at: chunks.count - 1, first: first, last: last, stored: liveChunk,
      deliver: { deliver($0, emit) })
    if isRestarted {
      emit(
        event(
          .warning(kind: "clock", message: "the clock was set back; live detection begins anew"),
          at: first))
    }
    return .added
  }

  /// Keeps an acknowledgement until the set is finalized; of samples outside of declared sets, until
  /// no set can hold them.
  ///
  /// - Returns: those that need not wait any longer.
  func hold(_ acknowledgement: StreamEvent, of chunk: DecodedChunk) -> [StreamEvent] {
    held.hold(acknowledgement, last: chunk.samples.timesSeconds.last)
    return kind == .declared ? [] : held.takeRest(before: openStart)
  }

  func takeHeldAcknowledgements() -> [StreamEvent] { held.takeAll() }

  func takeLastChunk() -> StoredChunk? {
    defer { lastChunk = nil }
    return lastChunk
  }

  /// Adds what was saved elsewhere, before it finalizes. Live detection does not see it.
  func join(_ recording: Recording) {
    let known =
      isBounded
      ? chunks.flatMap { $0.chunk.samples.timesSeconds }.filter(\.isFinite).sorted() : []
    for chunk in recording.chunksByPhase() {
      keep(StoredChunk(known.isEmpty ? chunk : chunk.without(samplesNear: known)))
    }
    health += recording.health
    dates.note(recording)
  }

  var sampleByteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }
  private(set) var sampleCount = 0

  private func noteContents(of chunk: DecodedChunk) {
    guard !chunk.samples.isEmpty else { return }
    if units == nil { units = chunk.samples.units }
    if chunk.timeResolution != .exact || chunk.gravityIsUncertain || units != chunk.samples.units {
      isPlain = false
    }
    if chunk.unixTimeOfFirstSample != nil { hasDatedChunk = true }
  }

  /// How far it is, for the journal.
  var progress: JournalProgress {
    var progress = JournalProgress(identity: identity)
    progress.samples = sampleCount + health.count
    progress.time = feed.newest
    progress.clock = dates.clock
    progress.unixTime = feed.newest.flatMap { dates.unixTime(at: $0) }
    return progress
  }

  /// Its row in a journal while it is under way, or extended.
  var journalSet: JournalSet {
    var set = JournalSet(key: key.text, kind: kind, identity: identity)
    set.state = isEnded ? .ended : .open
    set.joinsHistory = isEnded || joinsHistory
    set.isDatedBySending = !hasDatedChunk
    return set
  }

  /// Its row in a journal once the end of an input has finalized it. Where the history does not keep
  /// all that its chunks say the journal goes on keeping them as they came.
  var cutSet: JournalSet {
    var set = JournalSet(key: key.text, kind: kind, identity: identity)
    set.state = .cut
    set.joinsHistory = joinsHistory || (isPlain && options.storage.precision == .lossless)
    set.isDatedBySending = !hasDatedChunk
    return set
  }

  /// Most sets are over before their first chunk would be compressed.
  private static let packedSamplesAtMost = 8192

  /// What was taken up at once is compressed bit by bit with what follows.
  private static let chunksCompressedAtOnce = 8

  private func keep(_ chunk: StoredChunk) {
    chunks.append(chunk)
    if options.keepsJournal { lastChunk = chunk }
    sampleCount += chunk.count
    packedSamples += chunk.count
    guard !isTakenUp else { return }
    for _ in 0..<Self.chunksCompressedAtOnce
    where packedSamples > Self.packedSamplesAtMost && compressedChunks < chunks.count {
      packedSamples -= chunks[compressedChunks].count
      chunks[compressedChunks].compress()
      compressedChunks += 1
    }
  }

  /// - Returns: false where it came before.
  func receive(_ reading: HealthReading, hash: UInt64) -> Bool {
    guard hashes.insert(hash).inserted else { return false }
    health.append(reading)
    isExtended = isExtended || (isEnded && isWorthKeeping)
    return true
  }

  /// A declared set may be empty.
  var isWorthKeeping: Bool { kind == .declared || !chunks.isEmpty }

  private func start(at time: Double?, _ emit: (StreamEvent) -> Void) {
    hasStarted = true
    emit(event(.setStarted(cause: .declared, start: nil, isRecovered: false), at: time))
  }

  private func liveChunk(_ index: Int) -> DecodedChunk { chunks[index].chunk.withRebuiltTimes() }

  private func deliver(_ delivery: LiveFeed.Delivery, _ emit: (StreamEvent) -> Void) {
    let samples = delivery.samples
    let scale = samples.units.time.unitsPerSecond
    if goesOnUnsaid {
      goesOnUnsaid = false
      emit(
        event(
          .setStarted(cause: .declared, start: nil, isRecovered: true),
          at: samples.times.first.map { $0 / scale }))
      // The end of the input counted reps that may not be over, or none yet: it goes on from here.
      if let count = declaredCount?.count, let told = finalSets.first, count != told.reps.count {
        emit(event(.repCorrected(count: count), at: samples.times.first.map { $0 / scale }))
      }
    }
    if let gap = delivery.gap {
      emit(
        event(
          .gap(start: gap.start, end: gap.end), at: (samples.times.last ?? gap.end) / scale))
    }
    let saysPhase = delivery.phase == nil
    if let now = delivery.phase {
      if let before = phase, before != now, let first = samples.times.first {
        emit(event(.phase(from: before, to: now), at: first / scale))
      }
      phase = now
    }
    guard snapshot == nil else { return }
    samplesSinceSnapshot += samples.count
    let report: LiveReport = { kind, time, number in
      self.say(kind, at: time, setNumber: number, emit)
    }
    declaredCount?.append(samples, phase: delivery.phase, saysPhase: saysPhase, report)
    foundSets?.append(samples, phase: delivery.phase, saysPhase: saysPhase, report)
  }

  /// Says what live detection has to say, unless it was said before the end of an earlier input.
  private func say(
    _ kind: StreamEvent.Kind, at time: Double?, setNumber: Int?, _ emit: (StreamEvent) -> Void
  ) {
    guard let number = setNumber else { return emit(event(kind, at: time)) }
    var kind = kind
    switch kind {
    case .setStarted(_, let start, _): openStart = start ?? time
    case .setEnded, .setCancelled: openStart = nil
    default: break
    }
    switch kind {
    case .setStarted:
      guard said.count < number else { return }
      said.append(nil)
    case .setEnded(let set) where said.indices.contains(number - 1):
      if let before = said[number - 1] {
        guard before != set else { return }
        kind = .setRevised(set, previousReps: before.reps.count)
      }
      said[number - 1] = set
    case .setCancelled:
      guard said.count == number else { return }
      said.removeLast()
    case .rep(let count, _) where said.indices.contains(number - 1) && correctedNumber != number:
      if let before = said[number - 1], count <= before.reps.count { return }
    case .repCorrected: correctedNumber = number
    default: break
    }
    emit(event(kind, at: time, setNumber: number))
  }

  func event(
    _ kind: StreamEvent.Kind, at time: Double?, setNumber: Int? = nil
  ) -> StreamEvent {
    var event = StreamEvent(
      kind, identity: identity, setNumber: setNumber, time: time,
      clock: time == nil ? nil : dates.clock,
      unixTime: time.flatMap { dates.unixTime(at: $0) })
    switch kind {
    case .setEnded(let set), .setRevised(let set, _):
      event.exerciseCandidate = exerciseCandidate(for: set)
    default: break
    }
    return event
  }

  /// Which known exercise a set resembles, where nobody says which it was.
  private func exerciseCandidate(for set: CountedSet) -> ExerciseCandidate? {
    guard let known = options.knownMovements[person?.uppercased() ?? ""],
      identity.exerciseId == nil, set.reps.count > 1
    else { return nil }
    // A few seconds more, for what estimates gravity.
    let span = (set.start - 6)...(set.end + 2)
    var reassembler = ChunkReassembler()
    for stored in chunks {
      guard let first = stored.first, let last = stored.last, first <= span.upperBound,
        last >= span.lowerBound
      else { continue }
      reassembler.add(stored.chunk)
    }
    return known.candidate(
      for: set, in: reassembler.assemble(name: "").recording.samples,
      unixTime: dates.unixTime(at: set.start))
  }

  /// For whoever reads the events of a program that was started again.
  func takeRecoveredEvent() -> StreamEvent? {
    guard kind == .declared, hasStarted, !isEnded else { return nil }
    goesOnUnsaid = false
    return StreamEvent(recovered: progress)
  }

  // MARK: - Finalizing

  /// A declared set is part of the session: what lies between declared sets is rest.
  func becomeRest(_ emit: (StreamEvent) -> Void) -> Recording? {
    guard kind == .found else { return nil }
    kind = .rest
    let time = isEnded ? chunks.compactMap(\.last).max() : feed.newest
    for number in said.indices { emit(event(.setCancelled, at: time, setNumber: number + 1)) }
    said = []
    finalSets = []
    foundSets = nil
    isJournaled = false
    return isEnded ? assembled() : nil
  }

  /// The end, as far as anyone knows: finalizes. nil where there is nothing to finalize.
  func end(_ emit: (StreamEvent) -> Void) -> Recording? {
    guard !isEnded else { return nil }
    feed.flush(stored: liveChunk, deliver: { deliver($0, emit) })
    isEnded = true
    defer {
      declaredCount = nil
      foundSets = nil
    }
    guard isWorthKeeping else { return nil }
    let recording = assembled()
    note(recording)
    let time = recording.lastTimeSeconds
    switch kind {
    case .declared:
      let set = finalizedDeclared(recording)
      if !hasStarted { start(at: time, emit) }
      if let before = finalSets.first {
        if before != set || !goesOnUnsaid {
          emit(event(.setRevised(set, previousReps: before.reps.count), at: time))
        }
      } else {
        announce(set, at: time, emit)
      }
      finalSets = [set]
    case .found:
      finalizeFound(recording, emit)
    case .rest: finalSets = []
    }
    return recording
  }

  private func finalizedDeclared(_ recording: Recording) -> CountedSet {
    // Whoever counted along has prepared all samples already.
    if feed.isFaithful, feed.deliveredSamples == recording.samples.count,
      let set = declaredCount?.finalized()
    {
      return set
    }
    return RepDetector.countSet(
      in: recording.samples, phases: recording.phases, configuration: options.detector)
  }

  private func announce(_ set: CountedSet, at time: Double?, _ emit: (StreamEvent) -> Void) {
    let change = CountChange(
      from: declaredCount?.count ?? 0, until: declaredCount?.lastEnd ?? -.infinity, to: set.reps)
    if let count = change.correction { emit(event(.repCorrected(count: count), at: time)) }
    for (number, rep) in change.announcements(of: set.reps) {
      emit(event(.rep(count: number, rep), at: time))
    }
    let known = declaredCount?.partials ?? []
    for partial in set.partialReps
    where !known.contains(where: { $0.start < partial.end && partial.start < $0.end }) {
      emit(event(.partialRep(partial), at: time))
    }
    emit(event(.setEnded(set), at: time))
  }

  private func finalizeFound(_ recording: Recording, _ emit: (StreamEvent) -> Void) {
    guard var found = foundSets else { return }
    if feed.isFaithful, feed.deliveredSamples == recording.samples.count {
      found.finish(saysPhase: phase == nil) { kind, time, number in
        say(kind, at: time, setNumber: number, emit)
      }
      // What is recognised only later may lie before what was announced: sets are numbered in order
      // of time, however they were found.
      finalSets = found.ended.sorted { $0.start < $1.start }
    } else {
      finalSets = detected(recording)
    }
    report(recording, emit)
  }

  private func detected(_ recording: Recording) -> [CountedSet] {
    RepDetector.detectSets(
      in: recording.samples, phases: recording.phases, configuration: options.detector)
  }

  /// Says how the sets found differ from what was said, set by set in order of time.
  private func report(_ recording: Recording, _ emit: (StreamEvent) -> Void) {
    let time = recording.lastTimeSeconds
    let sets = finalSets
    for number in 1...max(1, max(sets.count, said.count)) {
      guard sets.count >= number else {
        if said.count >= number { emit(event(.setCancelled, at: time, setNumber: number)) }
        continue
      }
      let new = sets[number - 1]
      if said.count < number {
        emit(
          event(
            .setStarted(cause: .detected, start: new.start, isRecovered: false), at: time,
            setNumber: number))
        for (index, rep) in new.reps.enumerated() {
          emit(event(.rep(count: index + 1, rep), at: time, setNumber: number))
        }
        emit(event(.setEnded(new), at: time, setNumber: number))
      } else if let old = said[number - 1] {
        guard new != old else { continue }
        emit(
          event(.setRevised(new, previousReps: old.reps.count), at: time, setNumber: number))
      } else {
        emit(event(.setEnded(new), at: time, setNumber: number))
      }
    }
    said = sets
  }

  /// A watch goes on sending while its wearer rests. What follows a second of rest behind a set
  /// has no part in its count: nothing is read again, and the samples can be saved later.
  private func extendRest(
    by chunk: DecodedChunk, _ stored: StoredChunk, _ emit: (StreamEvent) -> Void
  ) -> Reception? {
    guard
      kind == .declared, chunk.phase == .rest, chunk.timeResolution == .exact,
      let set = finalSets.first, !set.reps.isEmpty, let rest = finalizedRest,
      rest.upperBound - rest.lowerBound >= 1, let first = stored.first, let last = stored.last,
      first > rest.upperBound
    else { return nil }
    finalizedRest = rest.lowerBound...last
    finalizedHash = nil
    isExtended = true
    emit(event(.setRevised(set, previousReps: set.reps.count), at: last))
    return .extended
  }

  /// The recording with what was added since it was saved, revised where that was postponed; nil
  /// where nothing was added.
  func saveExtension(_ emit: (StreamEvent) -> Void) -> Recording? {
    guard isExtended else { return nil }
    isExtended = false
    let recording = assembled()
    if postponedSamples > 0 {
      revise(to: recording, emit)
    } else {
      note(recording)
    }
    return recording
  }

  private func counted(_ recording: Recording) -> [CountedSet] {
    switch kind {
    case .declared: [finalizedDeclared(recording)]
    case .found: detected(recording)
    case .rest: []
    }
  }

  private func note(_ finalized: Recording) {
    finalizedHash = finalized.contentHash
    finalizedRest = nil
    let times = finalized.samples.times
    let scale = finalized.samples.units.time.unitsPerSecond
    if let span = finalized.phases.last, span.phase == .rest, span.rows.upperBound == times.count {
      finalizedRest = (times[span.rows.lowerBound] / scale)...(times[times.count - 1] / scale)
    }
  }

  /// The first late chunks are revised one by one, those that follow once they make an eighth of the
  /// set, or when it is saved: a late chunk costs no more than its share.
  private static let revisionsOneByOne = 8

  private func revise(after samples: Int, _ emit: (StreamEvent) -> Void) -> Reception {
    postponedSamples += samples
    guard revisions < Self.revisionsOneByOne || 8 * postponedSamples >= sampleCount else {
      isExtended = true
      return .extended
    }
    revisions += 1
    let recording = assembled()
    return revise(to: recording, emit) ? .revised(recording) : .unchanged
  }

  /// Finalizes again what had been.
  ///
  /// - Returns: whether anything has changed.
  @discardableResult
  private func revise(to recording: Recording, _ emit: (StreamEvent) -> Void) -> Bool {
    postponedSamples = 0
    guard recording.contentHash != finalizedHash else { return false }
    note(recording)
    isExtended = false
    let previous = finalSets.first?.reps.count ?? 0
    finalSets = counted(recording)
    switch kind {
    case .declared:
      for set in finalSets {
        emit(
          event(.setRevised(set, previousReps: previous), at: recording.lastTimeSeconds))
      }
    case .found: report(recording, emit)
    case .rest: break
    }
    return true
  }

  private func assembled() -> Recording {
    var reassembler = ChunkReassembler()
    for stored in chunks { reassembler.add(stored.chunk) }
    for reading in health { reassembler.add(reading) }
    var recording = reassembler.assemble(
      name: identity.setId ?? identity.sessionId ?? "stream"
    ).recording
    recording.identity = identity
    return recording
  }
}
