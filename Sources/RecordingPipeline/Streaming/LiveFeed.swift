import ChunkDecoding
import Motion
import SignalProcessing

/// Brings a set's chunks to live detection in order of time: waits a while for what is missing, and
/// leaves out what comes too late.
struct LiveFeed: Sendable {
  /// A chunk that waits for one before it.
  private struct Waiting: Sendable {
    var index: Int
    var first: Double
    var last: Double
    var isApproximate: Bool
  }

  /// A chunk's samples, ready for detection.
  struct Delivery {
    var samples: MotionBatch
    var phase: WorkoutPhase?
    /// What is missing before them, in seconds on the samples' clock.
    var gap: (start: Double, end: Double)?
  }

  private let waitSeconds: Double
  /// The newest sample that was delivered, s.
  private(set) var newest: Double?
  /// Samples delivered.
  private(set) var deliveredSamples = 0
  /// Whether everything so far was delivered as a timeline would have it.
  private(set) var isFaithful = true
  /// Chunks in a row, each later than the one before, that came too late.
  private var lateRun = 0
  private var lateTime = -Double.infinity
  private var waiting: [Waiting] = []
  /// Seconds between samples in the newest chunk delivered.
  private var interval = 0.0

  /// The newest sample of all that wait, s.
  private var newestWaiting = -Double.infinity
  /// So many chunks wait at most, however short they are.
  private static let waitingChunksAtMost = 1024
  /// So many late chunks in a row and in order mean that the clock was set back.
  private static let lateChunksBeforeRestart = 5

  init(waitSeconds: Double) {
    self.waitSeconds = waitSeconds
  }

  /// What a new chunk makes ready.
  ///
  /// - Parameters:
  ///   - chunk: Its times rebuilt where they were whole seconds.
  ///   - isApproximate: Whether a timeline of all chunks would finalize its times or its gravity.
  ///   - index: Its place among the chunks.
  ///   - stored: Any chunk by its place, like `chunk`.
  /// - Returns: Whether the clock was set back, so that detection begins anew.
  mutating func add(
    _ chunk: DecodedChunk, isApproximate: Bool, at index: Int, first: Double, last: Double,
    stored: (Int) -> DecodedChunk, deliver: (Delivery) -> Void
  ) -> Bool {
    var isRestarted = false
    if let newest {
      if last <= newest {
        isFaithful = false
        lateRun = first >= lateTime ? lateRun + 1 : 1
        lateTime = first
        guard lateRun >= Self.lateChunksBeforeRestart else { return false }
        self.newest = nil
        waiting = []
        newestWaiting = -.infinity
        isRestarted = true
      } else if first - newest > gapLimit {
        let place = waiting.partitioningIndex { $0.first > first }
        waiting.insert(
          Waiting(index: index, first: first, last: last, isApproximate: isApproximate), at: place)
        newestWaiting = max(newestWaiting, last)
        advance(stored: stored, deliver: deliver)
        return false
      }
    }
    lateRun = 0
    hand(chunk, isApproximate, gap: nil, deliver)
    advance(stored: stored, deliver: deliver)
    return isRestarted
  }

  /// Delivers what still waits.
  mutating func flush(stored: (Int) -> DecodedChunk, deliver: (Delivery) -> Void) {
    while let next = waiting.first {
      waiting.removeFirst()
      hand(stored(next.index), next.isApproximate, gap: gap(before: next), deliver)
    }
  }

  private var gapLimit: Double { min(waitSeconds, max(0.25, 4 * interval)) }

  private func gap(before next: Waiting) -> (start: Double, end: Double)? {
    guard let newest, next.first - newest > gapLimit else { return nil }
    return (newest, next.first)
  }

  private mutating func advance(
    stored: (Int) -> DecodedChunk, deliver: (Delivery) -> Void
  ) {
    while let next = waiting.first, let newest {
      // What waited longest goes on with the rest, so that the newest of all is among them.
      let isPatient =
        newestWaiting - newest < waitSeconds && waiting.count <= Self.waitingChunksAtMost
      if next.first - newest > gapLimit, isPatient { return }
      waiting.removeFirst()
      hand(stored(next.index), next.isApproximate, gap: gap(before: next), deliver)
    }
  }

  private mutating func hand(
    _ chunk: DecodedChunk, _ isApproximate: Bool, gap: (start: Double, end: Double)?,
    _ deliver: (Delivery) -> Void
  ) {
    if isApproximate { isFaithful = false }
    var samples = chunk.samples
    let times = samples.times
    let scale = samples.units.time.unitsPerSecond
    let isSorted = !zip(times, times.dropFirst()).contains { $0 > $1 }
    let after = newest.map { $0 * scale } ?? -.infinity
    if !isSorted || (times.first ?? after) <= after {
      let rows = times.indices.filter { times[$0] > after }
        .sorted { (times[$0], $0) < (times[$1], $1) }
      samples = samples.selecting(rows)
    }
    guard let first = samples.times.first, let last = samples.times.last else { return }
    newest = last / scale
    deliveredSamples += samples.count
    if samples.count > 1 { interval = (last - first) / scale / Double(samples.count - 1) }
    deliver(Delivery(samples: samples, phase: chunk.phase, gap: gap))
  }
}
