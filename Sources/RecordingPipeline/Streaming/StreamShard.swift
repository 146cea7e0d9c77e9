import ChunkDecoding
import Motion
import RepDetection
import WorkoutHistory

/// Some of a stream's sets: the unit of parallel work. What belongs to one set is always in the
/// same shard.
final class StreamShard {
  private let options: StreamOptions
  private let archive: (any StreamArchive)?
  private var sets: [String: StreamedSet] = [:]
  private var output = Output()
  /// What settled during the messages at hand, as it is now.
  private var settled: [String: (recording: Recording, sets: [CountedSet])] = [:]

  /// What messages led to, each with the message's place.
  struct Output {
    var events: [(sequence: Int, event: StreamEvent)] = []
    var opened: [(sequence: Int, set: JournalSet)] = []
    var entries: [(sequence: Int, entry: JournalEntry)] = []
    var settled: [JournalBatch.Settled] = []
    var discarded: [String] = []
    var failure: (any Error)?
  }

  init(options: StreamOptions, archive: (any StreamArchive)?) {
    self.options = options
    self.archive = archive
  }

  var setCount: Int { sets.count }
  var sampleByteCount: Int { sets.values.reduce(0) { $0 + $1.sampleByteCount } }

  func process(_ messages: [RoutedMessage]) -> Output {
    output = Output()
    settled = [:]
    for message in messages {
      do { try process(message) } catch { output.failure = output.failure ?? error }
    }
    if options.keepsJournal { prepareSettled() }
    return output
  }

  private func process(_ message: RoutedMessage) throws {
    switch message.operation {
    case .forget:
      sets[message.key] = nil
      return
    case .save:
      if let set = sets[message.key], let recording = set.saveExtension() {
        noteSettled(set, recording)
      }
      return
    default: break
    }
    let emit = { (event: StreamEvent) in
      self.output.events.append((message.sequence, event))
    }
    let set = try sets[message.key] ?? open(message)
    switch message.operation {
    case .open, .save, .forget: break
    case .health(let reading):
      set.receive(reading)
      if !set.isEnded { keep(message) }
    case .chunk(let chunk):
      receive(chunk, in: set, message, emit)
    case .end:
      // What had settled before a restart may have been extended since.
      if !set.isEnded, options.keepsJournal { try joinSavedMeanwhile(set) }
      if let recording = set.isEnded ? set.saveExtension() : set.end(emit) {
        noteSettled(set, recording)
      } else if set.chunks.isEmpty, set.kind != .declared {
        output.discarded.append(set.key)
      }
    case .becomeRest:
      if let recording = set.becomeRest(emit) {
        noteSettled(set, recording)
      } else if options.keepsJournal, !set.isEnded {
        output.opened.append(
          (message.sequence, JournalSet(key: set.key, kind: .rest, identity: set.identity)))
      }
    }
  }

  private func open(_ message: RoutedMessage) throws -> StreamedSet {
    let archived = try archive?.settledRecording(
      ofStreamed: message.key, setId: message.identity.setId)
    let set: StreamedSet
    if let archived {
      set = StreamedSet(
        key: message.key, kind: message.kind, identity: message.identity, archived: archived,
        options: options)
    } else {
      set = StreamedSet(
        key: message.key, kind: message.kind, identity: message.identity, options: options)
      if options.keepsJournal {
        output.opened.append(
          (
            message.sequence,
            JournalSet(key: message.key, kind: message.kind, identity: message.identity)
          ))
      }
    }
    sets[message.key] = set
    return set
  }

  /// Another program may have saved the set while it was under way here: nothing of it is lost.
  private func joinSavedMeanwhile(_ set: StreamedSet) throws {
    guard set.kind == .declared, let id = set.identity.setId,
      let saved = try archive?.settledRecording(ofStreamed: set.key, setId: id)
    else { return }
    set.join(saved.recording)
  }

  private func receive(
    _ chunk: DecodedChunk, in set: StreamedSet, _ message: RoutedMessage,
    _ emit: (StreamEvent) -> Void
  ) {
    guard let source = message.source else { return }
    let reception = set.receive(
      chunk, hash: source.hash &+ UInt64(source.part), controlUnixTime: message.controlUnixTime,
      emit)
    switch reception {
    case .added: keep(message)
    case .extended:
      // The journal has it until it is saved, unless that happens now.
      if options.keepsJournal, settled[set.key] == nil {
        output.opened.append(
          (message.sequence, JournalSet(key: set.key, kind: set.kind, identity: set.identity)))
        keep(message)
      }
    case .revised(let recording): noteSettled(set, recording)
    case .repeated, .unchanged: break
    }
    if options.keepsJournal {
      emit(
        StreamEvent(
          .ack(
            chunkId: source.chunkId, sha256: source.chunkId == nil ? source.sha256 : nil),
          identity: set.identity, line: source.line))
    }
  }

  private func noteSettled(_ set: StreamedSet, _ recording: Recording) {
    guard options.keepsJournal else { return }
    settled[set.key] = (recording, set.settledSets)
  }

  private func keep(_ message: RoutedMessage) {
    guard options.keepsJournal, let source = message.source else { return }
    var phase: WorkoutPhase?
    if case .chunk(let chunk) = message.operation { phase = chunk.phase }
    output.entries.append(
      (
        message.sequence,
        JournalEntry(
          setKey: message.key, part: source.part, sessionId: message.identity.sessionId,
          exerciseId: message.identity.exerciseId, phase: phase,
          controlUnixTime: message.controlUnixTime, data: source.bytes)
      ))
  }

  private func prepareSettled() {
    for (key, answer) in settled.sorted(by: { $0.key < $1.key }) {
      var answer = answer
      if let longer = sets[key]?.saveExtension() { answer.recording = longer }
      do {
        let part = ProcessedRecording.Part(recording: answer.recording, sets: answer.sets)
        output.settled.append(
          JournalBatch.Settled(key: key, recording: try part.prepare(options.storage).get()))
      } catch {
        output.failure = output.failure ?? error
      }
    }
  }

  // MARK: - Recovery

  struct Recovered: Sendable {
    var samples: Int
    var isEnded: Bool
    /// What to say of it.
    var event: StreamEvent?
  }

  /// Brings back what was under way, without saying again what was said.
  ///
  func recover(_ journaled: JournalSet, entries: [JournalEntry]) throws -> Recovered {
    let archived = try archive?.settledRecording(
      ofStreamed: journaled.key, setId: journaled.identity.setId)
    let set =
      if let archived {
        StreamedSet(
          key: journaled.key, kind: journaled.kind, identity: journaled.identity,
          archived: archived, options: options)
      } else {
        StreamedSet(
          key: journaled.key, kind: journaled.kind, identity: journaled.identity,
          options: options)
      }
    sets[journaled.key] = set
    var samples = 0
    for entry in entries {
      guard
        case .success(let line) = DecodedInput.decode(entry.data, options: options.decoding),
        line.messages.indices.contains(entry.part)
      else { continue }
      switch line.messages[entry.part] {
      case .health(let health): set.receive(health.reading)
      case .control: break
      case .chunk(var chunk):
        chunk.identity = SetIdentity(
          sessionId: entry.sessionId, exerciseId: entry.exerciseId,
          setId: journaled.identity.setId)
        chunk.phase = entry.phase
        let hash = entry.data.withUnsafeBytes { XXHash64.hash($0) }
        let reception = set.receive(
          chunk, hash: hash &+ UInt64(entry.part), controlUnixTime: entry.controlUnixTime
        ) { _ in }
        if case .revised = reception { set.isExtended = true }
        samples += chunk.samples.count
      }
    }
    return Recovered(samples: samples, isEnded: set.isEnded, event: set.recoveredEvent)
  }
}
