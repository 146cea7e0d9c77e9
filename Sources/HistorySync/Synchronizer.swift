import Foundation
import RecordingPipeline
import WorkoutHistory

/// Counts of a sync.
public struct SyncReport: Sendable, Hashable, Codable {
  /// Number of objects that were merged from the center.
  public var received = 0
  public var sent = 0
  public var receivedBytes = 0
  public var sentBytes = 0
  /// Number of calls that the center answered.
  public var roundTrips = 0
  /// One sentence for each object that violates a rule of the history.
  public var refused: [String] = []

  public var didNothing: Bool { received == 0 && sent == 0 && refused.isEmpty }
}

/// Keeps a person's part of a history in sync with a center. Every step is one transaction; the next sync
/// resumes an interrupted one.
public struct Synchronizer: Sendable {
  package var store: HistoryStore
  package var transport: any SyncTransport
  package var user: HistoryUser.ID
  package var backoff: Backoff
  /// Number of objects in a message, at least one.
  package var pageSize: Int

  public init(
    store: HistoryStore, transport: any SyncTransport,
    user: HistoryUser.ID = .local,
    backoff: Backoff = Backoff(), pageSize: Int = 2000
  ) {
    self.store = store
    self.transport = transport
    self.user = user
    self.backoff = backoff
    self.pageSize = pageSize
  }

  /// Merges changes from the center, then sends local ones. Takes one round trip if nothing has changed.
  public func sync() async throws -> SyncReport {
    var report = SyncReport()
    try await exchange(&report)
    learn(from: report)
    return report
  }

  /// Merges changes from the center without sending any, for a center that is used once. Unlike ``sync()``,
  /// includes changes by a copy of this very file.
  package func receive() async throws -> SyncReport {
    var report = SyncReport()
    _ = try await pull(as: "", &report)
    learn(from: report)
    return report
  }

  /// Learns movements from new recordings. Ignores errors, since the next sync learns them.
  private func learn(from report: SyncReport) {
    if report.received > 0 { _ = try? MovementLearner().learn(store, user: user) }
  }

  private func exchange(_ report: inout SyncReport) async throws {
    var conflicts = 0
    var time = try await pull(&report)
    while true {
      let pending = try store.sync.pendingObjects(at: time.now, user: user, limit: max(1, pageSize))
      guard !pending.isEmpty else { return }
      try await upload(pending.map(\.object), &report)
      let peer = try store.sync.peer(user: user)
      let request = PushRequest(
        device: peer.device, position: peer.position, objects: pending.map(\.object))
      let response = try await call(&report) { try await transport.push(request) }
      switch response {
      case .accepted(let position):
        try store.sync.acknowledge(pending, position: position, user: user)
        report.sent += pending.count
        conflicts = 0
      case .behind:
        // Another copy has pushed in the meantime.
        conflicts += 1
        guard conflicts < backoff.attempts * 4 else {
          throw SyncError.unreachable(reason: "other copies change it all the time")
        }
        if conflicts > 1 { try await backoff.wait(after: conflicts) }
        time = try await pull(&report)
      }
    }
  }

  /// The center's clock: the time of its answer plus the elapsed time by a monotonic clock.
  private struct CenterTime {
    private let answered: Int64
    private let start = ContinuousClock.now

    init(_ answered: Int64) { self.answered = answered }

    var now: Int64 { answered + Int64((ContinuousClock.now - start) / .milliseconds(1)) }
  }

  /// Merges the changes from the center, page by page.
  ///
  /// - Parameter device: The id in the request; nil for this copy's own.
  private func pull(as device: String? = nil, _ report: inout SyncReport) async throws -> CenterTime
  {
    while true {
      let peer = try store.sync.peer(user: user)
      let request = PullRequest(
        device: device ?? peer.device, position: peer.position, limit: max(1, pageSize))
      let response = try await call(&report) { try await transport.pull(request) }
      let time = CenterTime(response.time)
      // Validates the time before it is used.
      try store.sync.begin(with: response.center, time: response.time, user: user)
      if peer.center != response.center, peer.position != 0 { continue }
      let lost = try await download(response.objects, &report)
      if !response.objects.isEmpty || response.position != peer.position {
        let merged = try store.sync.merge(
          response.objects, through: response.position, at: time.now, user: user, lostSamples: lost)
        report.received += merged.applied
        report.refused += merged.refused
      }
      if !response.hasMore {
        try store.sync.discardReceivedSamples()
        return time
      }
    }
  }

  /// Sends the samples that the center lacks, many short ones in a message or long ones in several.
  private func upload(_ objects: [SyncObject], _ report: inout SyncReport) async throws {
    let recordings = try objects.map { ($0.key, try $0.segments()) }.filter { !$0.1.isEmpty }
    guard !recordings.isEmpty else { return }
    let digests = recordings.flatMap { $0.1.map(\.digest) }
    let there = try await call(&report) { try await transport.received(digests) }
    guard there.values.allSatisfy({ $0 >= 0 }) else {
      throw SyncError.refused(reason: "it says that it has less than nothing of some samples")
    }
    var parts: [SamplePart] = []
    var room = SyncExchange.longestPart
    for (key, segments) in recordings {
      let missing = segments.filter { (there[$0.digest] ?? 0) < $0.byteCount }
      if missing.isEmpty { continue }
      let here = try store.sync.samples(of: HistoryRecordingRow.Key(key), user: user)
      for segment in missing {
        guard let data = here[segment.digest] else { continue }
        var offset = there[segment.digest] ?? 0
        while offset < data.count {
          let bytes = data.subdata(in: offset..<min(offset + room, data.count))
          parts.append(
            SamplePart(digest: segment.digest, size: data.count, offset: offset, bytes: bytes))
          offset += bytes.count
          room -= bytes.count
          if room == 0 {
            try await send(parts, &report)
            parts = []
            room = SyncExchange.longestPart
          }
        }
      }
    }
    if !parts.isEmpty { try await send(parts, &report) }
  }

  private func send(_ parts: [SamplePart], _ report: inout SyncReport) async throws {
    try await call(&report) { try await transport.upload(parts) }
    report.sentBytes += parts.reduce(0) { $0 + $1.bytes.count }
  }

  /// Downloads missing samples.
  ///
  /// - Returns: Digests of samples that the center lacks, or whose bytes do not match.
  private func download(
    _ objects: [SyncObject], _ report: inout SyncReport
  ) async throws -> Set<String> {
    var missing = try store.sync.missingSamples(of: objects, user: user)
    var restarted: Set<String> = []
    var lost: Set<String> = []
    while true {
      missing.removeAll { $0.received >= $0.segment.byteCount || lost.contains($0.segment.digest) }
      guard !missing.isEmpty else { return lost }
      var ranges: [SampleRange] = []
      var room = SyncExchange.longestPart
      for (segment, received) in missing where room > 0 {
        let count = min(room, segment.byteCount - received)
        ranges.append(SampleRange(digest: segment.digest, offset: received, count: count))
        room -= count
      }
      let asked = ranges
      let parts = try await call(&report) { try await transport.download(asked) }
      guard parts.count == asked.count else {
        throw SyncError.refused(reason: "it sent other samples than it was asked for")
      }
      for (index, part) in parts.enumerated() {
        let (segment, received) = missing[index]
        report.receivedBytes += part.count
        if part.isEmpty {
          lost.insert(segment.digest)
        } else if try store.sync.receive(part, at: received, of: segment) {
          missing[index].received += part.count
        } else if restarted.insert(segment.digest).inserted {
          // Download again: the bytes may have been damaged in transit.
          missing[index].received = 0
        } else {
          lost.insert(segment.digest)
        }
      }
    }
  }

  private func call<T: Sendable>(
    _ report: inout SyncReport, _ body: @Sendable () async throws -> T
  ) async throws -> T {
    let result = try await backoff.retrying(body)
    report.roundTrips += 1
    return result
  }
}
