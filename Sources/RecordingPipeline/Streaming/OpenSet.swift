import Motion
import RepDetection
import WorkoutHistory

/// The live side of a set that is open: samples in order of time, and who counts along.
final class OpenSet {
  /// Who counts along.
  enum Counter {
    case declared(DeclaredCount)
    case found(FoundSets)
    /// The samples lie outside of declared sets.
    case none
  }

  private(set) var counter: Counter
  var feed: LiveFeed
  /// The phase that the chunks stated last.
  var phase: WorkoutPhase?
  /// True once `setStarted` was announced.
  var hasStarted = false
  /// True if the set resumed after a clean end and that has not been announced.
  var needsResumeEvent = false
  /// Time at which a found set that has not ended begins, in seconds on the samples' clock.
  var openStart: Double?
  private var samplesSinceSnapshot = 0
  /// The state of live detection behind the messages of an earlier run that are being replayed.
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

  /// Stops looking for sets.
  func becomeRest() { counter = .none }

  // MARK: - Counting

  func append(_ delivery: LiveFeed.Delivery, _ report: LiveReport) {
    guard snapshot == nil else { return }
    samplesSinceSnapshot += delivery.samples.count
    let saysPhase = delivery.phase == nil
    // The counter is taken out so that it is changed in place.
    switch take() {
    case .declared(var count):
      count.append(delivery.samples, phase: delivery.phase, saysPhase: saysPhase, report)
      counter = .declared(count)
    case .found(var sets):
      sets.append(delivery.samples, phase: delivery.phase, saysPhase: saysPhase, report)
      counter = .found(sets)
    case .none: break
    }
  }

  private func take() -> Counter {
    defer { counter = .none }
    return counter
  }

  /// True if detection has seen all samples of a recording as its timeline has them.
  func hasSeenAll(of recording: Recording) -> Bool {
    feed.isFaithful && feed.deliveredSamples == recording.samples.count
  }

  /// Finishes the search for sets; nil if there is none.
  func finishFound(_ report: LiveReport) -> [CountedSet]? {
    guard case .found(var sets) = take() else { return nil }
    sets.finish(saysPhase: phase == nil, report)
    counter = .found(sets)
    // A set that is recognized late may lie before one that was announced: sets are numbered in order of time.
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

  /// True if the journal is to get the state of live detection.
  var needsSnapshot: Bool {
    guard samplesSinceSnapshot >= options.samplesBetweenSnapshots, let detector else {
      return false
    }
    // That of a long declared set is large: it is worth no more than the samples since the last one.
    return Self.sampleBytes * samplesSinceSnapshot >= detector.approximateSetByteCount
  }

  /// About the bytes of a sample in the journal.
  private static let sampleBytes = 32

  /// The state of live detection, for ``expectSnapshot(_:)``.
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

  /// Expects the messages of an earlier run that a snapshot has counted, up to ``resumeFromSnapshot()``.
  ///
  /// - Returns: false where the bytes are of no use: then all is counted anew.
  func expectSnapshot(_ bytes: [UInt8]) -> Bool {
    snapshot = LiveSnapshot(bytes, configuration: options.detector)
    return snapshot != nil
  }

  /// - Returns: The results that were announced; nil without a snapshot.
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
