import Foundation
import HistorySync
import MotionSynthesis
import Synchronization

/// The true time of a test, which advances explicitly.
package final class VirtualTime: Sendable {
  private let value = Atomic<Int64>(1_800_000_000_000)

  package init() {}

  package var milliseconds: Int64 { value.load(ordering: .relaxed) }

  package func advance(_ milliseconds: Int64) { value.add(milliseconds, ordering: .relaxed) }
}

/// A transport whose calls fail before or after reaching the center, or are repeated.
package final class FaultyTransport: SyncTransport {
  private let transport: any SyncTransport
  private let random: Mutex<RandomSource>
  private let rate: Double
  private let beforePush: (@Sendable () async throws -> Void)?
  private let hasPushed = Atomic(false)

  package init(
    _ transport: any SyncTransport, seed: UInt64, rate: Double,
    beforePush: (@Sendable () async throws -> Void)? = nil
  ) {
    self.transport = transport
    random = Mutex(RandomSource(seed: seed))
    self.rate = rate
    self.beforePush = beforePush
  }

  private func happens() -> Bool {
    random.withLock { Double.random(in: 0..<1, using: &$0) < rate }
  }

  private func faulty<T: Sendable>(_ body: () async throws -> T) async throws -> T {
    if happens() { throw SyncError.unreachable(reason: "lost on its way") }
    var result = try await body()
    if happens() { result = try await body() }
    if happens() { throw SyncError.unreachable(reason: "the answer was lost") }
    return result
  }

  package func pull(_ request: PullRequest) async throws -> PullResponse {
    try await faulty { try await transport.pull(request) }
  }

  package func push(_ request: PushRequest) async throws -> PushResponse {
    if !hasPushed.exchange(true, ordering: .relaxed) { try await beforePush?() }
    return try await faulty { try await transport.push(request) }
  }

  package func received(_ digests: [String]) async throws -> [String: Int] {
    try await faulty { try await transport.received(digests) }
  }

  package func upload(_ parts: [SamplePart]) async throws {
    try await faulty { try await transport.upload(parts) }
  }

  package func download(_ ranges: [SampleRange]) async throws -> [Data] {
    try await faulty { try await transport.download(ranges) }
  }
}
