import ChunkDecoding
import Motion
import SignalProcessing

/// Orders a set's chunks by time for live detection. Waits a limited time for missing chunks, and drops
/// chunks that arrive too late.
struct LiveFeed: Sendable {
  /// A chunk that waits for a missing earlier one.
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
    /// The gap before the samples, in seconds on the samples' clock.
    var gap: (start: Double, end: Double)?
  }

  private let waitSeconds: Double
  /// Time of the newest sample delivered, in seconds.
  private(set) var newest: Double?
  /// Number of samples delivered.
  private(set) var deliveredSamples = 0
  /// True if the deliveries so far equal the set's timeline.
  private(set) var isFaithful = true
  /// Number of consecutive late chunks, each later than the one before.
  private var lateRun = 0
  private var lateTime = -Double.infinity
  private var waiting: [Waiting] = []
  /// Sampling interval of the newest chunk delivered, in seconds.
  private var interval = 0.0

  /// Time of the newest pending sample, in seconds.
  private var newestPending = -Double.infinity
  /// Maximum number of pending chunks, whatever their length.
  private static let maximumPendingChunks = 1024
  /// Number of consecutive late chunks, in order, that indicates that the clock was set back.
  private static let lateChunksBeforeRestart = 5

  init(waitSeconds: Double) { self.waitSeconds = waitSeconds }

  /// Adds a chunk and delivers all chunks that become ready.
  ///
  /// - Parameters:
  ///   - chunk: The chunk, with its times rebuilt if they were whole seconds.
  ///   - isApproximate: True if the timeline of all chunks would refine this chunk's times or gravity.
  ///   - index: The chunk's index in the set.
  ///   - stored: Returns the chunk at an index, with times rebuilt as in `chunk`.
  /// - Returns: True if the clock was set back, so that detection must restart.
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
        newestPending = -.infinity
        isRestarted = true
      } else if first - newest > gapLimit {
        let place = waiting.partitioningIndex { $0.first > first }
        waiting.insert(
          Waiting(index: index, first: first, last: last, isApproximate: isApproximate), at: place)
        newestPending = max(newestPending, last)
        advance(stored: stored, deliver: deliver)
        return false
      }
    }
    lateRun = 0
    hand(chunk, isApproximate, gap: nil, deliver)
    advance(stored: stored, deliver: deliver)
    return isRestarted
  }

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

  private mutating func advance(stored: (Int) -> DecodedChunk, deliver: (Delivery) -> Void) {
    while let next = waiting.first, let newest {
      // Wait for the gap to close, unless signal `waitSeconds` newer has arrived or too many chunks are
      // pending.
      let isPatient =
        newestPending - newest < waitSeconds && waiting.count <= Self.maximumPendingChunks
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
