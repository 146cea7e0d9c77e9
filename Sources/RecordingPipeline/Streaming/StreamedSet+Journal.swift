import ChunkDecoding
import Motion
import RecordingInput
import RepDetection
import WorkoutHistory

/// Journal representation of a set.
extension StreamedSet {
  /// Merges a recording that another program saved in the meantime. Live detection does not see it.
  func join(_ recording: Recording) { samples.join(recording) }

  func dropHealth() { samples.replaceHealth(by: []) }

  func takeNewestChunk() -> StoredChunk? { samples.takeNewest() }

  /// Holds an acknowledgement until the set is finalized or, for rest, until no set can contain the samples.
  ///
  /// - Returns: Acknowledgements that need not be held any longer.
  func hold(_ acknowledgement: StreamEvent, of chunk: DecodedChunk) -> [StreamEvent] {
    held.hold(acknowledgement, last: chunk.samples.timesSeconds.last)
    return kind == .declared ? [] : held.takeRest(before: open?.openStart)
  }

  func takeHeldAcknowledgements() -> [StreamEvent] { held.takeAll() }

  var needsSnapshot: Bool { open?.needsSnapshot ?? false }

  func takeSnapshot() -> [UInt8]? { open?.takeSnapshot(announced) }

  func expectSnapshot(_ bytes: [UInt8]) -> Bool { open?.expectSnapshot(bytes) ?? false }

  func resumeFromSnapshot() {
    if let found = open?.resumeFromSnapshot() { announced.found = found }
  }

  /// The set's progress, for the journal.
  var progress: JournalProgress {
    var progress = JournalProgress(identity: identity)
    let newest = open?.feed.newest
    progress.samples = samples.count + samples.health.count
    progress.time = newest
    progress.clock = samples.dates.clock
    progress.unixTime = newest.flatMap { samples.dates.unixTime(at: $0) }
    return progress
  }

  /// The set's journal row while it is open or extended.
  var journalSet: JournalSet {
    row(isEnded ? .ended : .open, joinsHistory: isEnded || joinsHistory)
  }

  /// The set's journal row after the end of an input finalized it. The journal keeps its chunks as received
  /// unless the history keeps all their contents.
  var cutSet: JournalSet {
    row(
      .cut,
      joinsHistory: joinsHistory || (samples.isPlain && options.storage.precision == .lossless))
  }

  private func row(_ state: JournalSet.State, joinsHistory: Bool) -> JournalSet {
    var set = JournalSet(key: key.text, kind: kind, identity: identity)
    set.state = state
    set.joinsHistory = joinsHistory
    set.isDatedBySending = !samples.hasDatedChunk
    return set
  }
}
