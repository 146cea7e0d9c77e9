import ChunkDecoding
import Motion
import RepDetection
import WorkoutHistory

/// A declared set, or the samples of a session outside of declared sets, as a stream brings it.
final class StreamedSet {
  let key: String
  let options: StreamOptions
  private(set) var kind: JournalSet.Kind
  private(set) var identity: SetIdentity
  private(set) var isEnded = false
  private(set) var chunks: [StoredChunk] = []
  /// Chunks before this one are compressed; those behind it have so many samples.
  private var compressedChunks = 0
  private var packedSamples = 0
  private var hashes: Set<UInt64> = []
  var health: [HealthReading] = []

  // While it is under way.
  private var feed: LiveFeed
  private var declaredCount: DeclaredCount?
  private var foundSets: FoundSets?
  private(set) var hasStarted = false
  private var phase: WorkoutPhase?
  private var dates = DateRelation()

  /// The rest behind the last rep that has settled, s on the samples' clock.
  private var settledRest: ClosedRange<Double>?
  /// Whether it was extended since it was saved.
  var isExtended = false

  /// The settled answer, once there is one.
  private(set) var settledSets: [CountedSet] = []
  /// Of the settled samples.
  private var settledHash: UInt64?

  init(key: String, kind: JournalSet.Kind, identity: SetIdentity, options: StreamOptions) {
    self.key = key
    self.kind = kind
    self.identity = identity
    self.options = options
    feed = LiveFeed(waitSeconds: options.gapWaitSeconds)
    beginCount()
  }

  /// What has settled before, as an archive gives it back.
  init(
    key: String, kind: JournalSet.Kind, identity: SetIdentity, archived: SettledRecording,
    options: StreamOptions
  ) {
    self.key = key
    self.kind = kind == .found && archived.sets.isEmpty ? .rest : kind
    self.identity = archived.recording.identity
    self.options = options
    feed = LiveFeed(waitSeconds: options.gapWaitSeconds)
    for chunk in archived.recording.chunksByPhase { keep(StoredChunk(chunk)) }
    health = archived.recording.health
    settledSets = archived.sets
    note(archived.recording)
    dates.note(archived.recording)
    isEnded = true
    hasStarted = true
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
    /// It joined what had settled already. The settled answer is in ``settledSets``.
    case revised(Recording)
    /// It joined what had settled, and only adds to the rest behind it: saving can wait.
    case extended
    /// It came late and brought nothing new.
    case unchanged
  }

  func receive(
    _ chunk: DecodedChunk, hash: UInt64, controlUnixTime: Double?, _ emit: (StreamEvent) -> Void
  ) -> Reception {
    guard hashes.insert(hash).inserted else { return .repeated }
    identity = identity.joined(with: chunk.identity)
    dates.note(chunk, controlUnixTime: controlUnixTime)
    let stored = StoredChunk(chunk)
    keep(stored)
    if isEnded {
      if let extended = extendRest(by: chunk, stored, emit) { return extended }
      return revise(emit).map { .revised($0) } ?? .unchanged
    }
    guard let first = stored.first, let last = stored.last else { return .added }
    if kind == .declared, !hasStarted { start(at: first, emit) }
    let isRestarted = feed.add(
      chunk, at: chunks.count - 1, first: first, last: last, stored: { chunks[$0].chunk },
      deliver: { deliver($0, emit) })
    if isRestarted {
      emit(
        event(
          .warning(kind: "clock", message: "the clock was set back; live detection begins anew"),
          at: first))
    }
    return .added
  }

  /// Adds what was saved elsewhere, before it settles. Live detection does not see it.
  func join(_ recording: Recording) {
    for chunk in recording.chunksByPhase { keep(StoredChunk(chunk)) }
    health += recording.health
    dates.note(recording)
  }

  var sampleByteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }

  /// Most sets are over before their first chunk would be compressed.
  private static let packedSamplesAtMost = 8192

  private func keep(_ chunk: StoredChunk) {
    chunks.append(chunk)
    packedSamples += chunk.count
    while packedSamples > Self.packedSamplesAtMost, compressedChunks < chunks.count {
      packedSamples -= chunks[compressedChunks].count
      chunks[compressedChunks].compress()
      compressedChunks += 1
    }
  }

  func receive(_ reading: HealthReading) { health.append(reading) }

  private func start(at time: Double?, _ emit: (StreamEvent) -> Void) {
    hasStarted = true
    emit(event(.setStarted(cause: .declared, start: nil, isRecovered: false), at: time))
  }

  private func deliver(_ delivery: LiveFeed.Delivery, _ emit: (StreamEvent) -> Void) {
    let samples = delivery.samples
    let scale = samples.units.time.unitsPerSecond
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
    let report: LiveReport = { kind, time, number in
      emit(self.event(kind, at: time, setNumber: number))
    }
    declaredCount?.append(samples, phase: delivery.phase, saysPhase: saysPhase, report)
    foundSets?.append(samples, phase: delivery.phase, saysPhase: saysPhase, report)
  }

  func event(
    _ kind: StreamEvent.Kind, at time: Double?, setNumber: Int? = nil
  ) -> StreamEvent {
    StreamEvent(
      kind, identity: identity, setNumber: setNumber, time: time,
      clock: time == nil ? nil : dates.clock,
      unixTime: time.flatMap { dates.unixTime(at: $0) })
  }

  /// For whoever reads the events of a program that was started again.
  var recoveredEvent: StreamEvent? {
    guard kind == .declared, hasStarted, !isEnded else { return nil }
    return event(
      .setStarted(cause: .declared, start: nil, isRecovered: true), at: feed.newest)
  }

  // MARK: - Settling

  /// A declared set is part of the session: what lies between declared sets is rest.
  func becomeRest(_ emit: (StreamEvent) -> Void) -> Recording? {
    guard kind == .found else { return nil }
    kind = .rest
    let time = feed.newest
    if let found = foundSets {
      for number in 0..<found.startedSets {
        emit(event(.setCancelled, at: time, setNumber: number + 1))
      }
    }
    foundSets = nil
    guard isEnded else { return nil }
    for number in settledSets.indices {
      emit(event(.setCancelled, at: chunks.compactMap(\.last).max(), setNumber: number + 1))
    }
    settledSets = []
    return assembled()
  }

  /// The end, as far as anyone knows: settles. nil where there is nothing to settle.
  func end(_ emit: (StreamEvent) -> Void) -> Recording? {
    guard !isEnded else { return nil }
    feed.flush(stored: { chunks[$0].chunk }, deliver: { deliver($0, emit) })
    isEnded = true
    defer {
      declaredCount = nil
      foundSets = nil
    }
    guard kind == .declared || !chunks.isEmpty else { return nil }
    let recording = assembled()
    note(recording)
    let time = recording.lastTimeSeconds
    switch kind {
    case .declared:
      let set = settledDeclared(recording)
      if !hasStarted { start(at: time, emit) }
      announce(set, at: time, emit)
      settledSets = [set]
    case .found:
      settleFound(recording, emit)
    case .rest: settledSets = []
    }
    return recording
  }

  private func settledDeclared(_ recording: Recording) -> CountedSet {
    RepDetector.countSet(
      in: recording.samples, phases: recording.phases, configuration: options.detector)
  }

  private func announce(_ set: CountedSet, at time: Double?, _ emit: (StreamEvent) -> Void) {
    let announced = declaredCount?.count ?? 0
    if announced == 0 {
      for (index, rep) in set.reps.enumerated() {
        emit(event(.rep(count: index + 1, rep), at: time))
      }
    } else if announced != set.reps.count {
      emit(event(.repCorrected(count: set.reps.count), at: time))
    }
    let known = declaredCount?.partials ?? []
    for partial in set.partialReps
    where !known.contains(where: { $0.start < partial.end && partial.start < $0.end }) {
      emit(event(.partialRep(partial), at: time))
    }
    emit(event(.setEnded(set), at: time))
  }

  private func settleFound(_ recording: Recording, _ emit: (StreamEvent) -> Void) {
    guard var found = foundSets else { return }
    if feed.isFaithful, feed.deliveredSamples == recording.samples.count {
      found.finish(saysPhase: phase == nil) { kind, time, number in
        emit(event(kind, at: time, setNumber: number))
      }
      // What is recognised only later may lie before what was announced: sets are numbered in order
      // of time, however they were found.
      settledSets = found.ended.sorted { $0.start < $1.start }
      report(settledSets, before: found.ended, endsNewly: nil, recording, emit)
      return
    }
    var known = found.ended
    // One that is announced and has not ended is ended, or cancelled, below.
    let hasOpen = found.startedSets > known.count
    if hasOpen {
      known.append(CountedSet(cause: .detected, start: 0, end: 0, reps: [], confidence: 0))
    }
    settledSets = detected(recording)
    report(settledSets, before: known, endsNewly: hasOpen ? known.count : nil, recording, emit)
  }

  private func detected(_ recording: Recording) -> [CountedSet] {
    RepDetector.detectSets(
      in: recording.samples, phases: recording.phases, configuration: options.detector)
  }

  /// Says how found sets differ from what was said before, set by set in order of time.
  ///
  /// - Parameter endsNewly: the number of a set that was announced and had not ended.
  private func report(
    _ sets: [CountedSet], before: [CountedSet], endsNewly: Int?, _ recording: Recording,
    _ emit: (StreamEvent) -> Void
  ) {
    let time = recording.lastTimeSeconds
    for number in 1...max(1, max(sets.count, before.count)) {
      let new = sets.indices.contains(number - 1) ? sets[number - 1] : nil
      let old = before.indices.contains(number - 1) ? before[number - 1] : nil
      switch (new, old) {
      case (let new?, nil):
        emit(
          event(
            .setStarted(cause: .detected, start: new.start, isRecovered: false), at: time,
            setNumber: number))
        for (index, rep) in new.reps.enumerated() {
          emit(event(.rep(count: index + 1, rep), at: time, setNumber: number))
        }
        emit(event(.setEnded(new), at: time, setNumber: number))
      case (let new?, _?) where number == endsNewly:
        emit(event(.setEnded(new), at: time, setNumber: number))
      case (let new?, let old?) where new != old:
        emit(
          event(.setRevised(new, previousReps: old.reps.count), at: time, setNumber: number))
      case (nil, _?): emit(event(.setCancelled, at: time, setNumber: number))
      default: break
      }
    }
  }

  /// A watch goes on sending while its wearer rests. What follows a second of rest behind a set
  /// has no part in its count: nothing is read again, and the samples can be saved later.
  private func extendRest(
    by chunk: DecodedChunk, _ stored: StoredChunk, _ emit: (StreamEvent) -> Void
  ) -> Reception? {
    guard
      kind == .declared, chunk.phase == .rest, chunk.timeResolution == .exact,
      let set = settledSets.first, !set.reps.isEmpty, let rest = settledRest,
      rest.upperBound - rest.lowerBound >= 1, let first = stored.first, let last = stored.last,
      first > rest.upperBound
    else { return nil }
    settledRest = rest.lowerBound...last
    settledHash = nil
    isExtended = true
    emit(event(.setRevised(set, previousReps: set.reps.count), at: last))
    return .extended
  }

  /// The recording with what was added since it was saved; nil where nothing was.
  func saveExtension() -> Recording? {
    guard isExtended else { return nil }
    isExtended = false
    let recording = assembled()
    note(recording)
    return recording
  }

  private func note(_ settled: Recording) {
    settledHash = settled.contentHash
    settledRest = nil
    let times = settled.samples.times
    let scale = settled.samples.units.time.unitsPerSecond
    if let span = settled.phases.last, span.phase == .rest, span.rows.upperBound == times.count {
      settledRest = (times[span.rows.lowerBound] / scale)...(times[times.count - 1] / scale)
    }
  }

  /// Settles again what had settled. nil where nothing has changed.
  private func revise(_ emit: (StreamEvent) -> Void) -> Recording? {
    let recording = assembled()
    guard recording.contentHash != settledHash else { return nil }
    note(recording)
    isExtended = false
    switch kind {
    case .declared:
      let previous = settledSets.first?.reps.count ?? 0
      let set = settledDeclared(recording)
      settledSets = [set]
      emit(
        event(.setRevised(set, previousReps: previous), at: recording.lastTimeSeconds))
    case .found:
      let before = settledSets
      settledSets = detected(recording)
      report(settledSets, before: before, endsNewly: nil, recording, emit)
    case .rest: break
    }
    return recording
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
