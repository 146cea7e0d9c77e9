import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

/// Says of every message what it belongs to, and what control messages mean. Sees all messages in
/// the order of the input, and no samples.
struct StreamRouter {
  /// A set or session that is in memory.
  private struct Entry {
    var kind: JournalSet.Kind
    var identity: SetIdentity
    var session: String
    var isEnded = false
    var samples = 0
    /// When it was last heard of.
    var use = 0
    /// When it began; sets end in this order.
    var begin = 0
    /// The batch in which it ended, or changed last.
    var endBatch = 0
    /// Whether chunks came after it ended, which may wait to be saved.
    var isExtended = false
  }

  private let options: StreamOptions
  private var entries: [String: Entry] = [:]
  private var sessions: [String: StreamSession] = [:]
  /// The session that messages without one belong to.
  private var lastSession = ""
  private var sequence = 0
  private var uses = 0
  private var batch = 0
  private var liveCount = 0
  private var samples = 0
  private var liveQueue = UseQueue()
  private var endedQueue = UseQueue()
  private var changedSessions: Set<String> = []

  private(set) var messages: [RoutedMessage] = []
  private var workoutSteps: [JournalBatch.WorkoutStep] = []
  private(set) var events: [(sequence: Int, event: StreamEvent)] = []

  init(options: StreamOptions) {
    self.options = options
  }

  /// What was routed since it was taken last.
  mutating func take() -> (messages: [RoutedMessage], events: [(sequence: Int, event: StreamEvent)])
  {
    defer {
      messages = []
      events = []
      batch += 1
    }
    return (messages, events)
  }

  /// What control messages said of workouts since it was taken last.
  mutating func takeWorkoutSteps() -> [JournalBatch.WorkoutStep] {
    defer { workoutSteps = [] }
    return workoutSteps
  }

  // MARK: - Messages

  mutating func route(_ input: DecodedInput) {
    switch input.result {
    case .failure(let failure):
      say(
        StreamEvent(
          .error(
            kind: failure.kind.rawValue, message: failure.message,
            byteOffset: failure.byteOffset), line: input.number))
    case .success(let line):
      for issue in line.issues where issue.isWarning {
        say(
          StreamEvent(
            .warning(kind: issue.kind.rawValue, message: issue.message), line: input.number))
      }
      for (part, message) in line.messages.enumerated() {
        let source = RoutedMessage.Source(
          line: input.number, bytes: input.bytes, hash: input.hash, part: part,
          sha256: input.sha256)
        switch message {
        case .chunk(let chunk): route(chunk, source)
        case .health(let health): route(health, source)
        case .control(let control): route(control, hash: input.hash, line: input.number)
        }
      }
    }
    enforceLimits()
  }

  private mutating func say(_ event: StreamEvent) {
    sequence += 1
    events.append((sequence, event))
  }

  private func sessionKey(_ identity: SetIdentity) -> String {
    identity.sessionId?.uppercased() ?? lastSession
  }

  /// The name of what a message belongs to, as the context of its session completes it.
  private func key(_ identity: SetIdentity, session: String, _ context: SetContext) -> String {
    let key = context.key(for: identity)
    return key.hasPrefix("set #") ? "session \(session) \(key)" : key
  }

  private mutating func route(_ chunk: DecodedChunk, _ source: RoutedMessage.Source) {
    let session = sessionKey(chunk.identity)
    let state = sessions[session] ?? StreamSession()
    var chunk = chunk
    chunk.phase = state.context.phase(of: chunk)
    chunk.identity = state.context.complete(chunk.identity)
    let key = key(chunk.identity, session: session, state.context)
    let known = entries[key]?.samples ?? 0
    guard known + chunk.samples.count <= options.samplesPerSet else {
      say(
        StreamEvent(
          .error(
            kind: DecodingFailure.Kind.limitExceeded.rawValue,
            message: "more than \(options.samplesPerSet) samples of one set or session",
            byteOffset: nil), identity: chunk.identity, line: source.line))
      return
    }
    touch(key, identity: chunk.identity, session: session)
    entries[key]?.samples += chunk.samples.count
    samples += chunk.samples.count
    if entries[key]?.isEnded == true {
      entries[key]?.isExtended = true
      entries[key]?.endBatch = batch
    }
    var source = source
    source.chunkId = chunk.chunkId
    add(.chunk(chunk), key, chunk.identity, source: source)
  }

  private mutating func route(_ health: HealthMessage, _ source: RoutedMessage.Source) {
    let session = sessionKey(health.identity)
    let context = (sessions[session] ?? StreamSession()).context
    let identity = context.complete(health.identity)
    let key = key(identity, session: session, context)
    touch(key, identity: identity, session: session)
    add(.health(health.reading), key, identity, source: source)
  }

  private mutating func route(_ control: ControlMessage, hash: UInt64, line: Int) {
    if let id = control.identity.sessionId {
      if lastSession != id.uppercased() {
        changedSessions.formUnion([lastSession, id.uppercased()])
      }
      lastSession = id.uppercased()
    }
    let session = lastSession
    var state = sessions[session] ?? StreamSession()
    let before = state
    let identity = state.context.complete(control.identity)
    let openKey = key(identity, session: session, state.context)
    if control.kind == .startSet, control.identity.setId == nil {
      // Sent twice, it is still one set.
      if state.lastAnonymousStart == hash, entries[openKey]?.samples ?? 0 == 0 { return }
      state.lastAnonymousStart = hash
    }
    state.context.apply(control)
    if let date = control.unixTime { state.controlUnixTime = date }
    state.use = uses
    sessions[session] = state
    if state != before { changedSessions.insert(session) }
    if options.keepsJournal,
      let action = WorkoutAction(
        control, before: identity, after: state.context.complete(control.identity))
    {
      workoutSteps.append(.init(action: action, line: line))
    }

    switch control.kind {
    case .startSet:
      let own = state.context.complete(control.identity)
      let key = key(own, session: session, state.context)
      saveExtended(inSession: session, except: key)
      touch(key, identity: own, session: session)
      add(.open, key, own)
    case .endSet:
      guard openKey.hasPrefix("set ") || openKey.contains(" set #") else {
        say(
          StreamEvent(
            .warning(kind: "control", message: "endSet without a set that is open"),
            identity: identity, line: line))
        return
      }
      touch(openKey, identity: identity, session: session)
      end(openKey)
    case .endExercise:
      let exercise = control.identity.exerciseId?.uppercased()
      end(ofSession: session) { entry in
        entry.kind == .declared
          && (exercise == nil || entry.identity.exerciseId?.uppercased() == exercise)
      }
    case .endWorkout:
      end(ofSession: session) { _ in true }
      saveExtended(inSession: session)
      sessions[session]?.isOver = true
      changedSessions.insert(session)
    case .startWorkout:
      sessions[session]?.isOver = false
    case .startExercise, .correctSet, .updatePhase, .phaseChangeDetected: break
    }
  }

  // MARK: - What is in memory

  private mutating func add(
    _ operation: RoutedMessage.Operation, _ key: String, _ identity: SetIdentity,
    source: RoutedMessage.Source? = nil
  ) {
    sequence += 1
    let entry = entries[key]
    messages.append(
      RoutedMessage(
        sequence: sequence, key: key, kind: entry?.kind ?? .declared, identity: identity,
        operation: operation, controlUnixTime: sessions[entry?.session ?? ""]?.controlUnixTime,
        source: source))
  }

  /// Makes sure that it is there, and notes that it was heard of.
  private mutating func touch(_ key: String, identity: SetIdentity, session: String) {
    uses += 1
    if entries[key] == nil {
      let isDeclared = !key.hasPrefix("session ") || key.contains(" set #")
      let hasDeclared = sessions[session]?.hasDeclaredSets ?? false
      var entry = Entry(
        kind: isDeclared ? .declared : hasDeclared ? .rest : .found, identity: identity,
        session: session)
      entry.begin = uses
      entries[key] = entry
      liveCount += 1
      sessions[session, default: StreamSession()].keys.insert(key)
      if isDeclared, !hasDeclared { declareSets(in: session) }
    }
    entries[key]?.use = uses
    sessions[session]?.use = uses
    if entries[key]?.isEnded == true {
      endedQueue.append(key, use: uses)
    } else {
      liveQueue.append(key, use: uses)
    }
  }

  private mutating func declareSets(in session: String) {
    sessions[session, default: StreamSession()].hasDeclaredSets = true
    changedSessions.insert(session)
    for key in sessions[session]?.keys.sorted() ?? [] where entries[key]?.kind == .found {
      entries[key]?.kind = .rest
      add(.becomeRest, key, entries[key]?.identity ?? SetIdentity())
    }
  }

  private mutating func end(_ key: String) {
    guard let entry = entries[key], !entry.isEnded else { return }
    add(.end, key, entry.identity)
    entries[key]?.isEnded = true
    entries[key]?.endBatch = batch
    liveCount -= 1
    endedQueue.append(key, use: entry.use)
  }

  private mutating func end(ofSession session: String, where isMeant: (Entry) -> Bool) {
    let keys = (sessions[session]?.keys ?? []).filter { key in
      entries[key].map { !$0.isEnded && isMeant($0) } ?? false
    }
    for key in keys.sorted(by: { (entries[$0]?.begin ?? 0) < (entries[$1]?.begin ?? 0) }) {
      end(key)
    }
  }

  /// Has what has ended saved with the rest that came behind it.
  private mutating func saveExtended(inSession session: String, except open: String? = nil) {
    let keys = (sessions[session]?.keys ?? []).filter {
      $0 != open && entries[$0]?.isExtended == true
    }
    for key in keys.sorted() { save(key) }
  }

  private mutating func save(_ key: String) {
    guard let entry = entries[key] else { return }
    add(.save, key, entry.identity)
    entries[key]?.isExtended = false
    entries[key]?.endBatch = batch
  }

  /// Ends or saves up to `limit` of what is under way, in the order in which it began.
  ///
  /// - Returns: Whether there was any.
  mutating func endOldest(limit: Int) -> Bool {
    let live = entries.filter { !$0.value.isEnded || $0.value.isExtended }
      .sorted { $0.value.begin < $1.value.begin }
    for (key, entry) in live.prefix(limit) {
      if entry.isEnded { save(key) } else { end(key) }
    }
    return !live.isEmpty
  }

  private mutating func enforceLimits() {
    while liveCount > options.liveSets {
      guard settleIdlest("more than \(options.liveSets) sets") else { break }
    }
    while entries.count - liveCount > options.endedSets || samples > options.samples {
      guard forgetOldest() else { break }
    }
    while samples > options.samples {
      guard settleIdlest("more than \(options.samples) samples in memory"), forgetOldest() else {
        break
      }
    }
    let sessionLimit = 2 * options.liveSets + options.endedSets
    if sessions.count > sessionLimit + sessionLimit / 4 { forgetSessions(to: sessionLimit) }
    let entries = entries
    liveQueue.compact { key, use in entries[key].map { !$0.isEnded && $0.use == use } ?? false }
    endedQueue.compact { key, use in entries[key].map { $0.isEnded && $0.use == use } ?? false }
  }

  private mutating func settleIdlest(_ reason: String) -> Bool {
    while let (key, use) = liveQueue.popFirst() {
      guard let entry = entries[key], !entry.isEnded, entry.use == use else { continue }
      say(
        StreamEvent(
          .warning(kind: "limit", message: "settled early: \(reason) are under way"),
          identity: entry.identity))
      end(key)
      return true
    }
    return false
  }

  /// Lets go of the ended set that was silent longest, once the store has it for certain.
  private mutating func forgetOldest() -> Bool {
    while let (key, use) = endedQueue.popFirst() {
      guard let entry = entries[key], entry.isEnded, entry.use == use else { continue }
      if entry.isExtended { save(key) }
      guard !options.keepsJournal || (entries[key]?.endBatch ?? batch) + 6 <= batch else {
        endedQueue.prepend(key, use: use)
        return false
      }
      add(.forget, key, entry.identity)
      samples -= entry.samples
      entries[key] = nil
      sessions[entry.session]?.keys.remove(key)
      return true
    }
    return false
  }

  private mutating func forgetSessions(to limit: Int) {
    let idle = sessions.filter { $0.value.keys.isEmpty && $0.key != lastSession }
      .sorted { $0.value.use < $1.value.use }
    for (session, _) in idle.prefix(sessions.count - limit) {
      sessions[session] = nil
      changedSessions.insert(session)
    }
  }

  // MARK: - Journal

  /// The contexts that have changed since they were taken last.
  mutating func takeContexts() -> (changed: [JournalContext], ended: [String]) {
    defer { changedSessions = [] }
    var changed: [JournalContext] = []
    var ended: [String] = []
    for session in changedSessions.sorted() {
      if let state = sessions[session], !state.isOver || session == lastSession {
        changed.append(
          JournalContext(session: session, state: state.text(isLast: session == lastSession)))
      } else {
        ended.append(session)
      }
    }
    return (changed, ended)
  }

  mutating func recover(_ contexts: [JournalContext]) {
    for context in contexts {
      guard let (state, isLast) = StreamSession.parse(context.state) else { continue }
      sessions[context.session] = state
      if isLast { lastSession = context.session }
    }
  }

  mutating func recover(_ set: JournalSet, samples count: Int, isEnded: Bool) {
    let session =
      set.kind == .declared && set.key.hasPrefix("set ")
      ? set.identity.sessionId?.uppercased() ?? ""
      : Self.session(ofKey: set.key)
    uses += 1
    var entry = Entry(kind: set.kind, identity: set.identity, session: session)
    entry.begin = uses
    entry.use = uses
    entry.samples = count
    entry.isEnded = isEnded
    entry.isExtended = isEnded
    entries[set.key] = entry
    samples += count
    if isEnded {
      endedQueue.append(set.key, use: uses)
    } else {
      liveCount += 1
      liveQueue.append(set.key, use: uses)
    }
    sessions[session, default: StreamSession()].keys.insert(set.key)
    if set.kind != .found { sessions[session]?.hasDeclaredSets = true }
  }

  /// `session X` or `session X set #1`: X.
  private static func session(ofKey key: String) -> String {
    let rest = key.dropFirst("session ".count)
    guard let range = rest.range(of: " set #", options: .backwards) else { return String(rest) }
    return String(rest[..<range.lowerBound])
  }
}
