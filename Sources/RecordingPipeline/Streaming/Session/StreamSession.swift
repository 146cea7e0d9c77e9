import ChunkDecoding
import Motion
import RecordingInput
import TextFormats
import WorkoutHistory

/// The engine of `reptrace stream` for one session, which can be saved between batches of messages.
///
/// Needs no store and starts no thread. A caller that stores the result of ``save()`` together with the
/// results before it loses nothing and gets nothing twice. The results do not depend on batch boundaries,
/// nor on when the session was saved and restored.
package final class StreamSession {
  let limits: SessionLimits
  let options: StreamOptions
  let engine: StreamEngine
  var messages = SessionMessages()
  var results = SessionResults()
  /// Number of messages received.
  var received = 0
  /// The checksum and size of the messages that were saved.
  var saved = (checksum: UInt64(0), bytes: 0)

  package convenience init(
    options: StreamOptions = StreamOptions(), limits: SessionLimits = SessionLimits()
  ) {
    self.init(engineOptions: Self.options(options, limits), limits: limits)
  }

  init(engineOptions: StreamOptions, limits: SessionLimits) {
    options = engineOptions
    self.limits = limits
    engine = StreamEngine(options: engineOptions)
  }

  static func options(_ options: StreamOptions, _ limits: SessionLimits) -> StreamOptions {
    var options = options
    limits.apply(to: &options)
    return options
  }

  /// Processes messages in order, each a line without its end or a binary frame.
  ///
  /// - Throws: Errors of encoding a timeline. The session must not be used afterwards.
  package func append(_ messages: [[UInt8]]) throws {
    let inputs = messages.map { bytes in
      received += 1
      return StreamInput(number: received, content: content(of: bytes))
    }
    try take(try engine.process(inputs))
    guard self.messages.byteCount > limits.messageBytes else { return }
    engine.router.warn(
      "limit", "more than \(limits.messageBytes) bytes of messages: all sets are finalized")
    engine.router.forgetSets()
    try take(try engine.work())
  }

  private func content(of bytes: [UInt8]) -> StreamInput.Content {
    let limit = options.decoding.limits.messageBytes
    guard bytes.count <= limit else {
      return .refused(DecodingFailure(.limitExceeded, "a message of more than \(limit) bytes"))
    }
    // JSON never begins with a frame's first byte.
    return bytes.first == 0x52 ? .frame(bytes) : .line(bytes)
  }

  /// Finalizes all open sets. Further messages for them are accepted, as after the end of a workout.
  ///
  /// - Throws: As ``append(_:)``.
  package func finish() throws {
    engine.router.endOpenSets()
    try take(try engine.work())
  }

  /// Ends the session like `endWorkout` and releases all samples. Later messages for its sets are refused.
  ///
  /// - Throws: As ``append(_:)``.
  package func end() throws {
    try append(
      engine.router.resolver.sessions.sorted { $0.key < $1.key }.map { session, facts in
        let id = session.isEmpty ? nil : facts.spelling ?? session
        let message = JSONObjectText(["type": .text("endWorkout"), "sessionId": .text(id)])
        return Array(message.text.utf8)
      })
    engine.router.forgetSets()
    try take(try engine.work())
  }

  /// Removes and returns the pending results: JSON objects, one per line, and the timelines they refer to.
  package func takeResults() -> (lines: [UInt8], timelines: [UInt8]) { results.take() }

  /// True if every set has ended.
  package var isIdle: Bool { engine.router.openCount == 0 }

  private func take(_ batch: StreamBatch) throws {
    for event in batch.events { results.add(event) }
    for part in batch.journal.preceding + [batch.journal] {
      for step in part.workoutSteps { results.add(step) }
      for entry in part.entries { messages.append(entry) }
      for finalized in part.finalized { results.add(finalized) }
    }
    let sets = engine.shards.flatMap { $0.sets.values }
    // Health readings between sets belong to no set.
    let kept = Set(
      sets.filter { $0.samples.count > 0 || !$0.isEnded || $0.isWorthKeeping }.map(\.key.text))
    messages.keepOnly(kept.contains)
  }
}
