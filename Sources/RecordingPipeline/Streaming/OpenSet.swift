import Motion
import RepDetection
import WorkoutHistory

/// The live side of an open set: its samples in chronological order, and the counter that processes them.
final class OpenSet {
  /// The live counter of a set.
  enum Counter {
    case declared(DeclaredCount)
    case found(FoundSets)
    /// No counter: the samples lie outside of declared sets.
    case none
  }

  private(set) var counter: Counter
  var feed: LiveFeed
  /// The phase that the latest chunk stated.
  var phase: WorkoutPhase?
  /// True once `setStarted` was announced.
  var hasStarted = false
  /// True if the set resumed after a clean end and that has not been announced.
  var needsResumeEvent = false
  /// Start time of the open detected set, in seconds on the samples' clock.
  var openStart: Double?
  private var samplesSinceSnapshot = 0
  /// The snapshot that covers the messages being replayed from an earlier run.
  private var snapshot: LiveSnapshot?
  private let options: StreamOptions

  init(kind: JournalSet.Kind, options: StreamOptions) {
    self.options = options
    feed = LiveFeed(waitSeconds: options.gapWaitSeconds)
    counter = Self.counter(kind, options)
  }

  private static func counter(_ kind: JournalSet.Kind, _ options: StreamOptions) -> Counter {
    switch kind {
    case .declared: .declared(DeclaredCount(configuration: options.detector))
    case .found: .found(FoundSets(configuration: options.detector))
    case .rest: .none
    }
  }

  var declaredCount: DeclaredCount? {
    if case .declared(let count) = counter { count } else { nil }
  }

  /// Stops searching for sets.
  func becomeRest() { counter = .none }

  // MARK: - Counting

  func append(_ delivery: LiveFeed.Delivery, _ report: LiveReport) {
    guard snapshot == nil else { return }
    samplesSinceSnapshot += delivery.samples.count
    let reportsPhase = delivery.phase == nil
    // Take the counter out so that it is changed in place.
    switch take() {
    case .declared(var count):
      count.append(delivery.samples, phase: delivery.phase, reportsPhase: reportsPhase, report)
      counter = .declared(count)
    case .found(var sets):
      sets.append(delivery.samples, phase: delivery.phase, reportsPhase: reportsPhase, report)
      counter = .found(sets)
    case .none: break
    }
  }

  private func take() -> Counter {
    defer { counter = .none }
    return counter
  }

  /// Returns whether detection has seen exactly the samples that the recording's timeline holds.
  func hasSeenAll(of recording: Recording) -> Bool {
    feed.isFaithful && feed.deliveredSamples == recording.samples.count
  }

  /// Finishes the search for sets and returns them; nil if there was no search.
  func finishFound(_ report: LiveReport) -> [CountedSet]? {
    guard case .found(var sets) = take() else { return nil }
    sets.finish(reportsPhase: phase == nil, report)
    counter = .found(sets)
    // A set that is recognized late may precede an announced one. Sets are numbered in chronological order.
    return sets.ended.sorted { $0.start < $1.start }
  }

  // MARK: - Snapshots

  private var detector: RepDetector? {
    switch counter {
    case .declared(let count): count.detector
    case .found(let sets): sets.detector
    case .none: nil
    }
  }

  /// True if the journal needs a new snapshot of live detection.
  var needsSnapshot: Bool {
    guard samplesSinceSnapshot >= options.samplesBetweenSnapshots, let detector else {
      return false
    }
    // A long declared set's snapshot is large, so it must not exceed the samples since the last one.
    return Self.sampleBytes * samplesSinceSnapshot >= detector.approximateSetByteCount
  }

  /// Approximate size of a sample in the journal, in bytes.
  private static let sampleBytes = 32

  /// Returns the state of live detection, for ``expectSnapshot(_:)``.
  func takeSnapshot(_ announced: Announcements) -> [UInt8]? {
    samplesSinceSnapshot = 0
    var (declaredCount, foundSets): (DeclaredCount?, FoundSets?)
    switch counter {
    case .declared(let count): declaredCount = count
    case .found(let sets): foundSets = sets
    case .none: break
    }
    return LiveSnapshot(
      declaredCount: declaredCount, foundSets: foundSets, said: announced.found,
      openStart: openStart
    ).bytes
  }

  /// Loads a snapshot. The messages that it covers are then replayed until ``resumeFromSnapshot()``.
  ///
  /// - Returns: False if the snapshot is unusable, so that all messages must be counted again.
  func expectSnapshot(_ bytes: [UInt8]) -> Bool {
    snapshot = LiveSnapshot(bytes, configuration: options.detector)
    return snapshot != nil
  }

  /// Resumes from the snapshot and returns the announced results; nil without a snapshot.
  func resumeFromSnapshot() -> [CountedSet?]? {
    guard let snapshot else { return nil }
    if let count = snapshot.declaredCount {
      counter = .declared(count)
    } else if let sets = snapshot.foundSets {
      counter = .found(sets)
    } else {
      counter = .none
    }
    openStart = snapshot.openStart
    samplesSinceSnapshot = 0
    self.snapshot = nil
    return snapshot.said
  }
}
