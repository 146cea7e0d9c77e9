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
    /// Samples and health readings, without repetitions.
    var samples = 0
    /// Of the messages that it has received.
    var hashes: Set<UInt64> = []
    /// Whether the journal has messages of an earlier run, whose hashes were not read yet.
    var hasJournaledMessages = false
    /// When it was last heard of.
    var use = 0
    /// When it began; sets end in this order.
    var begin = 0
    /// The batch in which it ended, or changed last.
    var endBatch = 0
  }

  private let options: StreamOptions
  private let store: RouterStore
  private var entries: [StreamKey: Entry] = [:]
  private var sessions: [String: StreamSession] = [:]
  /// What of each session is in memory.
  private var members: [String: SessionMembers] = [:]
  /// The sessions that have a set of an id in memory.
  private var sessionsOfSet: [String: Set<String>] = [:]
  /// The session that messages without one belong to.
  private var lastSession = ""
  private var sequence = 0
  private var uses = 0
  private var batch = 0
  private var liveCount = 0
  private var samples = 0
  /// Those of `samples` that have ended. They go by themselves, with a store once it has them for certain.
  private var endedSamples = 0
  private var liveQueue = UseQueue()
  private var endedQueue = UseQueue()
  /// The batch in which what is to be let go was last saved.
  private var leavingBatch = -1
  private var changedSessions: Set<String> = []
  private var endedSessions: Set<String> = []
  /// At the end of the input: what is left to be finalized, the first last.
  private var unfinished: [StreamKey]?

  private(set) var messages: [RoutedMessage] = []
  private var workoutSteps: [JournalBatch.WorkoutStep] = []
  private(set) var events: [(sequence: Int, event: StreamEvent)] = []

  init(options: StreamOptions, store: RouterStore = RouterStore()) {
    self.store = store
    var options = options
    // More than any memory holds; sums of them stay numbers.
    options.liveSets = min(options.liveSets, 1 << 40)
    options.endedSets = min(options.endedSets, 1 << 40)
    self.options = options
  }

  /// Sets and sessions in memory that are under way, and that have ended.
  var openCount: Int { liveCount }
  var endedCount: Int { entries.count - liveCount }

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

  /// Asks the store, once, what it knows of a session.
  ///
  /// - Parameter id: As a message spells it.
  private mutating func lookUp(_ session: String, as id: String?) {
    guard !session.isEmpty, sessions[session]?.isLookedUp != true else { return }
    var state = sessions[session] ?? StreamSession()
    let id = state.spelling ?? state.context.complete(SetIdentity()).sessionId ?? id ?? session
    let known = store.session(id)
    state.isLookedUp = true
    state.spelling = known?.id ?? id
    state.owner = known?.person
    sessions[session] = state
  }

  private mutating func spelling(ofExercise id: String, session: String) -> String {
    guard let name = sessions[session]?.spelling else { return id }
    if let known = sessions[session]?.exercises[id.uppercased()] { return known }
    let spelling = store.exercise(id, name) ?? id
    // A session may name any number of them.
    if sessions[session]?.exercises.count ?? 0 >= 1_000 { sessions[session]?.exercises = [:] }
    sessions[session]?.exercises[id.uppercased()] = spelling
    return spelling
  }

  /// A message with the ids that its session's context knows, and what it belongs to.
  private struct Address {
    var session: String
    var context: SetContext
    /// The ids that the message names itself, as they were first spelled: a history tells cases apart.
    var own: SetIdentity
    var identity: SetIdentity
    var key: StreamKey
    /// Of a chunk that came before and names no set: where it went.
    var place: StreamSession.Place?
  }

  /// - Returns: nil where the message is refused, which is said: where a set's id does not say which set is
  ///   meant, or a session's not whose it is.
  private mutating func address(
    _ own: SetIdentity, line: Int, hash: UInt64? = nil
  ) -> Address? {
    var own = own
    var session = sessionKey(own)
    if own.sessionId == nil, let id = own.setId?.uppercased(),
      let sessions = sessionsOfSet[id], !sessions.contains(session)
    {
      // It names a set that is not of the session under way: the one that is open.
      let open = sessions.filter { entries[.set(session: $0, id: id)]?.isEnded == false }
      if open.count > 1 {
        sayAmbiguous(own, line: line)
        return nil
      }
      let isBetweenSessions = session.isEmpty || sessions.isEmpty
      if let only = open.first ?? (isBetweenSessions && sessions.count == 1 ? sessions.first : nil)
      {
        session = only
      }
    }
    lookUp(session, as: own.sessionId)
    let context = sessions[session]?.context ?? SetContext()
    if own.sessionId != nil { own.sessionId = sessions[session]?.spelling ?? own.sessionId }
    if let id = own.exerciseId { own.exerciseId = spelling(ofExercise: id, session: session) }
    var identity = context.complete(own)
    if sessions[session]?.isContested == true {
      sayContested(identity, line: line)
      return nil
    }
    var key = context.key(for: identity, session: session)
    let place =
      own.setId == nil ? sessions[session]?.places.last { $0.hash == hash } : nil
    if let place {
      key = place.key
      identity.setId = nil
      if case .set(_, let id) = key {
        identity.setId =
          entries[key]?.identity.setId ?? identity.sessionId.flatMap { store.set(id, $0) } ?? id
      }
    }
    if case .set(let session, let id) = key, !session.isEmpty, entries[key] == nil {
      // What came of it before its session was named.
      let unnamed = StreamKey.set(session: "", id: id)
      if let entry = entries[unnamed], ["", session].contains(entry.session) {
        adopt(unnamed, into: session)
        key = unnamed
      }
    }
    if let id = own.setId {
      let known =
        entries[key]?.identity.setId ?? identity.sessionId.flatMap { store.set(id, $0) }
      own.setId = known ?? id
      identity.setId = own.setId
    }
    return Address(
      session: session, context: context, own: own, identity: identity, key: key, place: place)
  }

  private mutating func adopt(_ key: StreamKey, into session: String) {
    guard var entry = entries[key], entry.session != session else { return }
    leave(key, entry)
    entry.session = session
    entries[key] = entry
    join(key, entry)
    if sessions[session]?.hasDeclaredSets != true { declareSets(in: session) }
  }

  /// Whether it was told of a session in memory for whom it was started.
  func knowsPerson(ofSession id: String) -> Bool { sessions[id.uppercased()]?.person != nil }

  /// - Parameter isContested: Whether the history has the session of another person than the message to
  ///   come says.
  mutating func note(session id: String, isContested: Bool) {
    guard isContested || sessions[id.uppercased()] != nil else { return }
    sessions[id.uppercased(), default: StreamSession()].isContested = isContested
  }

  /// Two people's workouts with one id cannot be told apart by the messages that follow. Until the person
  /// who had it first starts it again, all are refused. A start that names nobody claims nothing.
  private mutating func noteStart(ofSession session: String, by person: String?) {
    guard let person, !person.isEmpty else { return }
    var state = sessions[session] ?? StreamSession()
    if let known = state.person {
      state.isContested =
        known.uppercased() != person.uppercased() && !store.isOnePerson(known, person)
    } else if !state.isContested {
      state.person = person
    }
    // A contest outlives a restart.
    if state.isContested { state.isOver = false }
    if state != sessions[session] { changedSessions.insert(session) }
    sessions[session] = state
  }

  private mutating func sayContested(_ identity: SetIdentity, line: Int) {
    say(
      StreamEvent(
        .error(
          kind: "ambiguousSession",
          message: "the session was started for two people: whose this is cannot be told",
          byteOffset: nil), identity: identity, line: line))
  }

  private mutating func sayAmbiguous(_ identity: SetIdentity, line: Int) {
    say(
      StreamEvent(
        .error(
          kind: "ambiguousSet",
          message: "several sessions have this set open, and the message names none",
          byteOffset: nil), identity: identity, line: line))
  }

  private mutating func route(_ chunk: DecodedChunk, _ source: RoutedMessage.Source) {
    guard
      let address = self.address(chunk.identity, line: source.line, hash: source.messageHash)
    else { return }
    let key = address.key
    let namesSet = chunk.identity.setId != nil
    var chunk = chunk
    chunk.phase = address.place.map(\.phase) ?? address.context.phase(of: chunk)
    chunk.identity = address.identity
    guard receive(chunk.samples.count, address, source) else { return }
    if !namesSet, address.place == nil {
      sessions[address.session]?.note(
        .init(hash: source.messageHash, key: key, phase: chunk.phase))
    }
    var source = source
    source.chunkId = chunk.chunkId
    add(.chunk(chunk), key, chunk.identity, source: source)
  }

  private mutating func route(_ health: HealthMessage, _ source: RoutedMessage.Source) {
    guard let address = self.address(health.identity, line: source.line) else { return }
    guard receive(1, address, source) else { return }
    add(.health(health.reading), address.key, address.identity, source: source)
  }

  /// Counts the samples of a message, unless it came before: a repetition changes nothing.
  ///
  /// - Returns: false where what it belongs to has no room for it.
  private mutating func receive(
    _ count: Int, _ address: Address, _ source: RoutedMessage.Source
  ) -> Bool {
    let key = address.key
    if entries[key]?.hasJournaledMessages == true {
      entries[key]?.hasJournaledMessages = false
      entries[key]?.hashes = store.messageHashes(key)
    }
    let isRepeated = entries[key]?.hashes.contains(source.messageHash) ?? false
    guard isRepeated || (entries[key]?.samples ?? 0) + count <= options.samplesPerSet else {
      say(
        StreamEvent(
          .error(
            kind: DecodingFailure.Kind.limitExceeded.rawValue,
            message: "more than \(options.samplesPerSet) samples of one set or session",
            byteOffset: nil), identity: address.identity, line: source.line))
      return false
    }
    touch(key, identity: address.identity, session: address.session)
    guard !isRepeated else { return true }
    entries[key]?.hashes.insert(source.messageHash)
    entries[key]?.samples += count
    samples += count
    guard let entry = entries[key], entry.isEnded else { return true }
    endedSamples += count
    members[entry.session]?.extended.insert(key)
    entries[key]?.endBatch = batch
    return true
  }

  private mutating func route(_ control: ControlMessage, hash: UInt64, line: Int) {
    if control.kind == .startWorkout {
      noteStart(ofSession: sessionKey(control.identity), by: control.details.userId)
    }
    guard let address = self.address(control.identity, line: line) else { return }
    // A correction is about a set that may be long over, and says nothing about now.
    if control.kind != .correctSet, let id = control.identity.sessionId?.uppercased(),
      id != lastSession
    {
      changedSessions.formUnion([lastSession, id])
      lastSession = id
    }
    var control = control
    control.identity = address.own
    let session = address.session
    let identity = address.identity
    let openKey = address.key
    var state = sessions[session] ?? StreamSession()
    let before = state
    if control.kind == .startSet, control.identity.setId == nil {
      // Sent twice, it is still one set; after that set's end it is another one.
      if case .numberedSet = openKey, state.lastAnonymousStart == hash,
        entries[openKey]?.samples ?? 0 == 0
      {
        return
      }
      state.lastAnonymousStart = hash
    }
    state.context.apply(control)
    if let date = control.unixTime { state.controlUnixTime = date }
    if state != before { changedSessions.insert(session) }
    state.use = uses
    sessions[session] = state
    if options.keepsJournal {
      if let action = WorkoutAction(
        control, before: identity, after: state.context.complete(control.identity))
      {
        // Before what its end says.
        if control.kind == .endSet { tellCorrection(of: openKey) }
        if !keepsBack(control, of: openKey, line: line) {
          workoutSteps.append(.init(action: action, line: line))
        }
      } else if control.kind == .correctSet
        || control.kind == .endSet && control.details.reps != nil
      {
        say(
          StreamEvent(
            .warning(
              kind: "control", message: "what it says is not kept: it names no set of a session"),
            identity: identity, line: line))
      }
    }

    let namesPhase = [.updatePhase, .phaseChangeDetected].contains(control.kind)
    if namesPhase, control.phase == nil {
      say(
        StreamEvent(
          .warning(
            kind: "control",
            message: "\(control.kind.rawValue) names neither execution nor rest: ignored"),
          identity: identity, line: line))
    }
    switch control.kind {
    case .startSet:
      guard let own = self.address(control.identity, line: line) else { return }
      saveExtended(inSession: session, except: own.key)
      touch(own.key, identity: own.identity, session: session)
      add(.open, own.key, own.identity)
      remember(control, of: own.key, line: line)
    case .endSet:
      guard openKey.isDeclaredSet else {
        say(
          StreamEvent(
            .warning(kind: "control", message: "endSet without a set that is open"),
            identity: identity, line: line))
        return
      }
      touch(openKey, identity: identity, session: session)
      end(openKey)
    case .endExercise:
      end(declaredSetsOf: control.identity.exerciseId, session: session)
    case .endWorkout:
      end(liveKeys(ofSession: session))
      saveExtended(inSession: session)
      sessions[session]?.isOver = true
      changedSessions.insert(session)
      endedSessions.insert(session)
    case .startWorkout:
      sessions[session]?.isOver = false
    case .startExercise, .correctSet, .updatePhase, .phaseChangeDetected: break
    }
  }

  // MARK: - What is in memory

  private mutating func add(
    _ operation: RoutedMessage.Operation, _ key: StreamKey, _ identity: SetIdentity,
    kind: JournalSet.Kind = .declared, source: RoutedMessage.Source? = nil
  ) {
    sequence += 1
    let entry = entries[key]
    messages.append(
      RoutedMessage(
        sequence: sequence, key: key, kind: entry?.kind ?? kind, identity: identity,
        operation: operation, person: sessions[entry?.session ?? ""]?.mover ?? "",
        controlUnixTime: sessions[entry?.session ?? ""]?.controlUnixTime,
        source: source))
  }

  private mutating func join(_ key: StreamKey, _ entry: Entry) {
    members[entry.session, default: SessionMembers()].count += 1
    if !entry.isEnded {
      members[entry.session]?.insertLive(key, exercise: entry.identity.exerciseId)
    }
    if case .set(let session, let id) = key { sessionsOfSet[id, default: []].insert(session) }
  }

  private mutating func leave(_ key: StreamKey, _ entry: Entry) {
    members[entry.session]?.removeLive(key, exercise: entry.identity.exerciseId)
    members[entry.session]?.extended.remove(key)
    members[entry.session]?.count -= 1
    if members[entry.session]?.isEmpty == true { members[entry.session] = nil }
    if case .set(let session, let id) = key {
      sessionsOfSet[id]?.remove(session)
      if sessionsOfSet[id]?.isEmpty == true { sessionsOfSet[id] = nil }
    }
  }

  /// Makes sure that it is there, and notes that it was heard of.
  private mutating func touch(_ key: StreamKey, identity: SetIdentity, session: String) {
    uses += 1
    if entries[key] == nil {
      let hasDeclared = sessions[session]?.hasDeclaredSets ?? false
      var entry = Entry(
        kind: key.isDeclaredSet ? .declared : hasDeclared ? .rest : .found, identity: identity,
        session: session)
      entry.begin = uses
      entries[key] = entry
      liveCount += 1
      join(key, entry)
      if sessions[session] == nil { sessions[session] = StreamSession() }
      if key.isDeclaredSet, !hasDeclared { declareSets(in: session) }
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
    let key = StreamKey.session(session)
    if let entry = entries[key] {
      guard entry.kind == .found else { return }
      entries[key]?.kind = .rest
      add(.becomeRest, key, entry.identity)
    } else if options.keepsJournal {
      // An earlier run may have found sets in it.
      let identity = SetIdentity(sessionId: sessions[session]?.spelling ?? session)
      add(.becomeRest, key, identity, kind: .found)
    }
  }

  private mutating func end(_ key: StreamKey, by operation: RoutedMessage.Operation = .end) {
    guard let entry = entries[key], !entry.isEnded else { return }
    lookUp(entry.session, as: entry.identity.sessionId)
    add(operation, key, entry.identity)
    entries[key]?.isEnded = true
    entries[key]?.endBatch = batch
    endedSamples += entry.samples
    members[entry.session]?.removeLive(key, exercise: entry.identity.exerciseId)
    liveCount -= 1
    endedQueue.append(key, use: entry.use)
    tellStart(of: key)
  }

  /// Keeps what `startSet` says of a set until the set ends.
  private mutating func remember(_ control: ControlMessage, of key: StreamKey, line: Int) {
    let details = control.details
    guard options.keepsJournal, details.targetReps != nil || details.weight != nil,
      case .set(_, let id) = key, let entry = entries[key], !entry.session.isEmpty
    else { return }
    sessions[entry.session]?.starts[id] = StreamSession.SetStart(
      targetReps: details.targetReps, weight: details.weight, unixTime: control.unixTime, line: line
    )
    changedSessions.insert(entry.session)
    if entry.isEnded { tellStart(of: key) }
  }

  /// Keeps what a person says of a set under way that the history does not have yet, until the set ends.
  private mutating func keepsBack(_ control: ControlMessage, of key: StreamKey, line: Int) -> Bool {
    guard control.kind == .correctSet, case .set(_, let id) = key, let entry = entries[key],
      !entry.isEnded, let session = sessions[entry.session], let name = session.spelling,
      session.corrections[id] != nil || store.set(id, name) == nil
    else { return false }
    let details = control.details
    let isAllowed =
      (try? HistoryRules.correction(
        reps: details.reps, exercise: control.identity.exerciseId,
        exerciseName: details.exerciseName)) != nil
    // What the history refuses takes nothing back.
    guard isAllowed else { return false }
    var said = session.corrections[id] ?? StreamSession.Correction(line: line)
    if control.identity.exerciseId != nil || details.exerciseName != nil {
      said.exerciseId = control.identity.exerciseId
      said.exerciseName = details.exerciseName
      said.reps = details.reps ?? said.reps
    } else {
      said.reps = details.reps
    }
    said.unixTime = control.unixTime
    said.line = line
    sessions[entry.session]?.corrections[id] = said
    changedSessions.insert(entry.session)
    return true
  }

  /// Says once more what `startSet` said of a set that ends, and what a person did: of a workout that nobody
  /// started, or that is over, the history had no set that it could be said of.
  private mutating func tellStart(of key: StreamKey) {
    tellCorrection(of: key)
    guard case .set(_, let id) = key, let entry = entries[key], let set = entry.identity.setKey,
      let start = sessions[entry.session]?.starts.removeValue(forKey: id)
    else { return }
    tell(
      .noteStart(set, targetReps: start.targetReps, weight: start.weight), of: entry,
      at: start.unixTime, line: start.line)
  }

  private mutating func tellCorrection(of key: StreamKey) {
    guard case .set(_, let id) = key, let entry = entries[key], let set = entry.identity.setKey,
      let said = sessions[entry.session]?.corrections.removeValue(forKey: id)
    else { return }
    tell(
      .correct(
        set, reps: said.reps, exercise: said.exerciseId.map(HistoryExerciseRow.Key.init(_:)),
        exerciseName: said.exerciseName), of: entry, at: said.unixTime, line: said.line)
  }

  private mutating func tell(
    _ step: WorkoutAction.Step, of entry: Entry, at date: Double?, line: Int
  ) {
    guard let session = sessions[entry.session]?.spelling ?? entry.identity.sessionId else {
      return
    }
    changedSessions.insert(entry.session)
    let action = WorkoutAction(
      session: HistoryWorkoutRow.Key(session), step, date: date, user: nil)
    workoutSteps.append(.init(action: action, line: line))
  }

  private func liveKeys(ofSession session: String) -> [StreamKey] {
    members[session]?.live.values.flatMap { $0 } ?? []
  }

  private mutating func end(declaredSetsOf exercise: String?, session: String) {
    let keys =
      exercise.map { Array(members[session]?.live[$0.uppercased()] ?? []) }
      ?? liveKeys(ofSession: session)
    end(keys.filter(\.isDeclaredSet))
  }

  /// Ends sets in the order in which they began.
  private mutating func end(_ keys: [StreamKey]) {
    for key in keys.sorted(by: { (entries[$0]?.begin ?? 0) < (entries[$1]?.begin ?? 0) }) {
      end(key)
    }
  }

  /// Has what has ended saved with the rest that came behind it.
  private mutating func saveExtended(inSession session: String, except open: StreamKey? = nil) {
    let keys = (members[session]?.extended ?? []).filter { $0 != open }
    for key in keys.sorted(by: { (entries[$0]?.begin ?? 0) < (entries[$1]?.begin ?? 0) }) {
      save(key)
    }
  }

  private mutating func save(_ key: StreamKey) {
    guard let entry = entries[key] else { return }
    add(.save, key, entry.identity)
    members[entry.session]?.extended.remove(key)
    entries[key]?.endBatch = batch
  }

  private func isExtended(_ key: StreamKey, _ entry: Entry) -> Bool {
    members[entry.session]?.extended.contains(key) ?? false
  }

  /// At the end of the input: finalizes or saves up to `limit` of what is under way, in the order in
  /// which it began. No message is routed afterwards.
  ///
  /// - Returns: Whether there was any.
  mutating func endOldest(limit: Int) -> Bool {
    if unfinished == nil {
      changedSessions.formUnion(sessions.filter { !$0.value.places.isEmpty }.keys)
    }
    var keys =
      unfinished
      ?? entries.filter { !$0.value.isEnded || isExtended($0.key, $0.value) }
      .sorted { $0.value.begin > $1.value.begin }.map(\.key)
    let next = keys.suffix(limit)
    keys.removeLast(next.count)
    unfinished = keys
    for key in next.reversed() {
      if entries[key]?.isEnded == true { save(key) } else { end(key, by: .cut) }
    }
    return !next.isEmpty
  }

  private mutating func enforceLimits() {
    while liveCount > options.liveSets {
      guard finalizeIdlest("more than \(options.liveSets) sets") else { break }
    }
    while entries.count - liveCount > options.endedSets || samples > options.samples {
      guard forgetOldest() else {
        saveLeaving()
        break
      }
    }
    while samples - endedSamples > options.samples {
      guard finalizeIdlest("more than \(options.samples) samples in memory") else { break }
      _ = forgetOldest()
    }
    let sessionLimit = 2 * options.liveSets + options.endedSets
    if sessions.count > sessionLimit + sessionLimit / 4 { forgetSessions(to: sessionLimit) }
    let entries = entries
    liveQueue.compact { key, use in entries[key].map { !$0.isEnded && $0.use == use } ?? false }
    endedQueue.compact { key, use in entries[key].map { $0.isEnded && $0.use == use } ?? false }
  }

  private mutating func finalizeIdlest(_ reason: String) -> Bool {
    while let (key, use) = liveQueue.popFirst() {
      guard let entry = entries[key], !entry.isEnded, entry.use == use else { continue }
      say(
        StreamEvent(
          .warning(kind: "limit", message: "finalized early: \(reason) are under way"),
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
      if isExtended(key, entry) { save(key) }
      guard !options.keepsJournal || (entries[key]?.endBatch ?? batch) + 6 <= batch else {
        endedQueue.prepend(key, use: use)
        return false
      }
      add(.forget, key, entry.identity)
      samples -= entry.samples
      endedSamples -= entry.samples
      entries[key] = nil
      leave(key, entry)
      return true
    }
    return false
  }

  /// Has all that is to be let go next saved in one batch: each has to wait until the store has it.
  private mutating func saveLeaving() {
    guard options.keepsJournal, leavingBatch != batch else { return }
    leavingBatch = batch
    var sets = entries.count - liveCount - options.endedSets
    var count = samples - options.samples
    for (key, use) in endedQueue.waiting {
      guard sets > 0 || count > 0 else { break }
      guard let entry = entries[key], entry.isEnded, entry.use == use else { continue }
      if isExtended(key, entry) { save(key) }
      sets -= 1
      count -= entry.samples
    }
  }

  private mutating func forgetSessions(to limit: Int) {
    let idle = sessions.filter { members[$0.key] == nil && $0.key != lastSession }
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

  mutating func recover(_ set: JournalSet, as key: StreamKey, samples count: Int, isEnded: Bool) {
    let session = set.identity.sessionId?.uppercased() ?? key.session
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
    if set.kind != .found { sessions[session, default: StreamSession()].hasDeclaredSets = true }
    if let id = set.identity.sessionId, sessions[session]?.spelling == nil {
      sessions[session, default: StreamSession()].spelling = id
    }
  }

  /// Sessions that ended since they were taken last.
  mutating func takeEndedSessions() -> [String] {
    defer { endedSessions = [] }
    return endedSessions.sorted()
  }
}
