import ChunkDecoding
import Motion
import RecordingInput
import WorkoutHistory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StreamSession {
  /// The state of a session for the caller to store.
  package struct Saved: Sendable {
    /// The head, which replaces the one saved before.
    package var head: [UInt8]
    /// Messages since the last save, to be appended to those saved before.
    package var messages: [UInt8]
    /// True if ``messages`` is complete and replaces the messages saved before.
    package var replacesMessages: Bool
  }

  private static let magic = Array("RTSS".utf8)
  /// Version of the format. It increases when a field keeps its name and changes its meaning.
  private static let format: UInt16 = 1

  /// Returns the head and the messages since the last call.
  ///
  /// The head takes about 1 KB, plus 100 KB for each open set and 100 bytes for each declared set. The
  /// messages of all sets in memory take up to ``SessionLimits/messageBytes`` plus those of one batch, or
  /// twice that while messages of released sets remain.
  ///
  /// - Throws: An error of `JSONEncoder`.
  package func save() throws -> Saved {
    let (bytes, replaces) = messages.takeAdded()
    if replaces { saved = (0, 0) }
    saved = (Self.checksum(bytes, after: saved.checksum), saved.bytes + bytes.count)
    return Saved(
      head: try head(messageChecksum: saved.checksum, messageBytes: saved.bytes), messages: bytes,
      replacesMessages: replaces)
  }

  /// Returns the whole state for ``restored(from:options:limits:)``.
  ///
  /// - Throws: As ``save()``.
  package func snapshot() throws -> [UInt8] {
    let all = messages.all
    return try head(messageChecksum: Self.checksum(all, after: 0), messageBytes: all.count) + all
  }

  /// Returns a checksum that depends on the bytes and on the sequence of saves.
  private static func checksum(_ bytes: [UInt8], after previous: UInt64) -> UInt64 {
    FNV1a(bytes, after: previous).value
  }

  private func head(messageChecksum: UInt64, messageBytes: Int) throws -> [UInt8] {
    let router = engine.router
    var snapshots: [UInt8] = []
    let sets = engine.shards.flatMap { $0.sets.values }.map { set in
      let detector = set.takeSnapshot() ?? []
      snapshots += detector
      return set.saved(snapshotSize: detector.count)
    }
    let state = SessionState(
      received: received, results: results.count, resolver: router.resolver,
      registry: router.registry.saved, exercises: router.spellings.exercises, sets: sets,
      messageChecksum: messageChecksum, messageBytes: messageBytes)
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = Self.nonFinite
    let text = [UInt8](try encoder.encode(state))
    var writer = ByteWriter()
    writer.append(Self.magic)
    writer.append(Self.format)
    writer.append(UInt8(libraryVersion.utf8.count))
    writer.append(libraryVersion.utf8)
    writer.append(UInt32(text.count))
    writer.append(UInt32(snapshots.count))
    writer.append(text)
    writer.append(snapshots)
    writer.append(writer.bytes.withUnsafeBytes { XXHash64.hash($0) })
    return writer.bytes
  }

  private static let nonFinite = JSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  private static let readingNonFinite =
    JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")

  /// Restores a session from a head, followed by all messages that were saved with it and before it.
  ///
  /// The checksum detects accidental damage, not tampering: pass only bytes that your program wrote.
  ///
  /// - Parameters:
  ///   - snapshot: The head and all messages, or the result of ``snapshot()``.
  ///   - options: The options that the session had.
  ///
  /// - Throws: ``SessionSnapshotError``.
  package static func restored(
    from snapshot: [UInt8], options: StreamOptions = StreamOptions(),
    limits: SessionLimits = SessionLimits()
  ) throws(SessionSnapshotError) -> StreamSession {
    var reader = ByteReader(snapshot[...])
    guard snapshot.starts(with: magic), snapshot.count > magic.count else { throw .notASnapshot }
    _ = try reader.bytes(magic.count)
    let format = try reader.integer(UInt16.self)
    let version = String(
      decoding: try reader.bytes(Int(try reader.integer(UInt8.self))), as: UTF8.self)
    guard format == Self.format, version == libraryVersion else {
      throw .otherVersion(format == Self.format ? version : "\(version), format \(format)")
    }
    let (textSize, detectorSize) = (
      Int(try reader.integer(UInt32.self)), Int(try reader.integer(UInt32.self))
    )
    let text = try reader.bytes(textSize)
    var detectors = ByteReader(try reader.bytes(detectorSize))
    let size = magic.count + 3 + version.utf8.count + 8 + textSize + detectorSize
    let checksum = snapshot[..<size].withUnsafeBytes { XXHash64.hash($0) }
    guard try reader.integer(UInt64.self) == checksum else { throw .damaged }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = readingNonFinite
    let state: SessionState
    do {
      state = try decoder.decode(SessionState.self, from: Data(text))
    } catch {
      throw .otherVersion(version + " in another state")
    }
    let rest = Array(snapshot[(size + 8)...])
    guard rest.count == state.messageBytes, Self.checksum(rest, after: 0) == state.messageChecksum
    else { throw .damaged }
    let session = StreamSession(engineOptions: Self.options(options, limits), limits: limits)
    session.messages = try SessionMessages(&reader)
    session.saved = (state.messageChecksum, state.messageBytes)
    try session.restore(state, &detectors)
    return session
  }

  /// A limit that no session reaches, far from overflow.
  private static let countsAtMost = 1 << 48

  private func restore(
    _ state: SessionState, _ detectors: inout ByteReader
  ) throws(SessionSnapshotError) {
    let counts =
      [state.received, state.results, state.registry.uses] + state.sets.compactMap(\.uncounted)
    guard counts.allSatisfy({ (0...Self.countsAtMost).contains($0) }) else { throw .damaged }
    received = state.received
    results.count = state.results
    var hashes: [StreamKey: Set<UInt64>] = [:]
    for saved in state.sets {
      let detector = Array(try detectors.bytes(saved.snapshotSize))
      guard let set = StreamedSet(saved, options: options), hashes[saved.key] == nil else {
        throw .damaged
      }
      if !detector.isEmpty, !set.expectSnapshot(detector) {
        throw .otherVersion(libraryVersion + " with another detector")
      }
      var own: Set<UInt64> = []
      try messages.decoded(of: saved.key.text, options: options.decoding) { entry, message in
        own.insert(set.restore(message, of: entry))
      }
      if !detector.isEmpty { set.resumeFromSnapshot() }
      set.announced = saved.announced
      hashes[saved.key] = own
      engine.shards[0].sets[saved.key] = set
    }
    engine.router.resolver = state.resolver
    engine.router.registry = try SetRegistry(state.registry, hashes: hashes, options: options)
    engine.router.spellings.exercises = state.exercises
    let kept = Set(state.sets.map(\.key.text))
    messages.keepOnly(kept.contains)
  }
}

extension StreamedSet {
  func saved(snapshotSize: Int) -> SessionState.SavedSet {
    var saved = SessionState.SavedSet(
      key: key, kind: kind.rawValue, identity: identity, person: person, announced: announced,
      snapshotSize: snapshotSize)
    switch state {
    case .open: break
    case .final(let answer): saved.answer = answer
    case .stale(let answer, let uncounted): (saved.answer, saved.uncounted) = (answer, uncounted)
    }
    return saved
  }

  /// Creates a set from its saved state, without its messages.
  convenience init?(_ saved: SessionState.SavedSet, options: StreamOptions) {
    guard let kind = JournalSet.Kind(rawValue: saved.kind) else { return nil }
    self.init(key: saved.key, kind: kind, identity: saved.identity, options: options)
    person = saved.person
    if let answer = saved.answer {
      state = saved.uncounted.map { .stale(answer, uncounted: $0) } ?? .final(answer)
    }
  }

  /// Replays a message that the set received before it was saved.
  ///
  /// - Returns: The hash of the message.
  func restore(_ message: DecodedInput.Journaled, of entry: JournalEntry) -> UInt64 {
    switch message {
    case .health(let reading, let hash):
      if samples.isNew(hash) { samples.add(reading) }
      return hash
    case .chunk(var chunk, let packed, let hash):
      chunk.phase = entry.phase
      chunk.identity = SetIdentity()
      if isEnded {
        if samples.isNew(hash) {
          _ = samples.add(
            chunk, packed: packed, controlUnixTime: entry.controlUnixTime, compresses: false)
        }
      } else {
        replay(chunk, packed: packed, hash: hash, controlUnixTime: entry.controlUnixTime)
      }
      return hash
    }
  }
}
