import ChunkDecoding
import Motion
import RecordingInput
import RepDetection
import TimelineFormat
import WorkoutHistory

/// The chunks and readings of one set in memory, packed.
struct SetSamples {
  private(set) var chunks: [StoredChunk] = []
  private(set) var health: [HealthReading] = []
  /// Number of samples, including repetitions.
  private(set) var count = 0
  private(set) var dates = DateRelation()
  /// True if a history keeps all contents of the chunks, so that the set can be resumed from it.
  private(set) var isPlain = true
  private(set) var hasDatedChunk = false
  /// Hashes of the messages received.
  private var hashes: Set<UInt64> = []
  private var units: MotionUnits?
  /// Times of samples that a history holds with bounded errors, in seconds. Exact ones near them are
  /// repeated.
  private var approximateTimes: [Double] = []
  /// Number of compressed chunks, and the number of samples in the packed chunks after them.
  private var compressedChunks = 0
  private var packedSamples = 0
  /// The newest chunk before its compression, for the journal.
  private var newest: StoredChunk?

  private let isBounded: Bool
  private let keepsJournal: Bool

  init(options: StreamOptions) {
    isBounded = options.storage.precision != .lossless
    keepsJournal = options.keepsJournal
  }

  var byteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }
  var lastTime: Double? { chunks.compactMap(\.last).max() }

  /// Records a message's hash. Returns false if the message was received before.
  mutating func isNew(_ hash: UInt64?) -> Bool {
    hash.map { hashes.insert($0).inserted } ?? true
  }

  mutating func add(_ reading: HealthReading) { health.append(reading) }

  /// Adds a chunk, without the samples that a history already holds.
  ///
  /// - Parameters:
  ///   - packed: The chunk's samples, if they are already packed.
  ///   - compresses: False while many chunks of an earlier run are read.
  /// - Returns: The chunk, and a copy with times rebuilt for live use.
  mutating func add(
    _ chunk: DecodedChunk, packed: PackedSamples?, controlUnixTime: Double?, compresses: Bool
  ) -> (chunk: DecodedChunk, live: DecodedChunk, stored: StoredChunk) {
    let isWhole = approximateTimes.isEmpty
    let chunk = isWhole ? chunk : chunk.without(samplesNear: approximateTimes)
    dates.note(chunk, controlUnixTime: controlUnixTime)
    note(chunk)
    let live = chunk.withRebuiltTimes()
    let stored = StoredChunk(chunk, liveTimes: live.samples.times, packed: isWhole ? packed : nil)
    keep(stored, compresses: compresses)
    return (chunk, live, stored)
  }

  /// Adds a chunk of an earlier run to an ended set.
  mutating func addEnded(_ chunk: DecodedChunk) {
    note(chunk)
    keep(StoredChunk(chunk), compresses: false)
  }

  /// Adds samples that a history holds.
  mutating func add(archived recording: Recording, chunks: [DecodedChunk] = []) {
    for chunk in chunks { keep(StoredChunk(chunk), compresses: true) }
    dates.note(recording)
    if isBounded { approximateTimes = recording.sampleTimesSeconds }
  }

  /// Merges a recording that another program saved in the meantime.
  mutating func join(_ recording: Recording) {
    let known =
      isBounded ? chunks.flatMap { $0.chunk.samples.timesSeconds }.filter(\.isFinite).sorted() : []
    for chunk in recording.chunksByPhase() {
      keep(StoredChunk(known.isEmpty ? chunk : chunk.without(samplesNear: known)), compresses: true)
    }
    health += recording.health
    dates.note(recording)
  }

  mutating func replaceHealth(by readings: [HealthReading]) { health = readings }

  mutating func takeNewest() -> StoredChunk? {
    defer { newest = nil }
    return newest
  }

  private mutating func note(_ chunk: DecodedChunk) {
    guard !chunk.samples.isEmpty else { return }
    if units == nil { units = chunk.samples.units }
    if chunk.timeResolution != .exact || chunk.gravityIsUncertain || units != chunk.samples.units {
      isPlain = false
    }
    if chunk.unixTimeOfFirstSample != nil { hasDatedChunk = true }
  }

  /// Chosen so that most sets are over before their first chunk would be compressed.
  private static let packedSamplesAtMost = 8192
  /// Chosen to spread compression over later chunks after many were read at once.
  private static let chunksCompressedAtOnce = 8

  private mutating func keep(_ chunk: StoredChunk, compresses: Bool) {
    chunks.append(chunk)
    if keepsJournal { newest = chunk }
    count += chunk.count
    packedSamples += chunk.count
    guard compresses else { return }
    for _ in 0..<Self.chunksCompressedAtOnce
    where packedSamples > Self.packedSamplesAtMost && compressedChunks < chunks.count {
      packedSamples -= chunks[compressedChunks].count
      chunks[compressedChunks].compress()
      compressedChunks += 1
    }
  }

  // MARK: - Recording

  /// Returns all samples and readings as one recording.
  func assembled(_ identity: SetIdentity) -> Recording {
    var reassembler = ChunkReassembler()
    for stored in chunks { reassembler.add(stored.chunk) }
    for reading in health { reassembler.add(reading) }
    var recording = reassembler.assemble(
      name: identity.setId ?? identity.sessionId ?? "stream"
    ).recording
    recording.identity = identity
    return recording
  }

  /// Returns the samples of a set and a few seconds around it, for estimates of gravity.
  func samples(around set: CountedSet) -> MotionBatch {
    let span = (set.start - 6)...(set.end + 2)
    var reassembler = ChunkReassembler()
    for stored in chunks {
      guard let first = stored.first, let last = stored.last, first <= span.upperBound,
        last >= span.lowerBound
      else { continue }
      reassembler.add(stored.chunk)
    }
    return reassembler.assemble(name: "").recording.samples
  }
}
