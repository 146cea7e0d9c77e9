import Foundation
import HistorySync
import Motion
import SyncTestSupport
import TestSupport
import Testing
import WorkoutHistory

/// An impossible answer of a center ends the sync with an error instead of crashing the app.
@Suite struct HostileCenterTests {
  private let folder: TemporaryFolder
  private let store: HistoryStore

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
    try store.save(
      Recording(name: "X", samples: Example.samples(seconds: 6)),
      sets: [Example.set(.declared, 101, 105, reps: 4)])
  }

  private struct HostileCenter: SyncTransport {
    var center = MemoryCenter()
    /// A false time to report.
    var time: Int64?
    /// A false number of received bytes to report for every segment.
    var size: Int?
    /// False bytes to report for all samples.
    var samples: Data?

    func pull(_ request: PullRequest) async throws -> PullResponse {
      var response = try await center.pull(request)
      response.time = time ?? response.time
      return response
    }

    func push(_ request: PushRequest) async throws -> PushResponse {
      try await center.push(request)
    }

    func received(_ digests: [String]) async throws -> [String: Int] {
      guard let size else { return await center.received(digests) }
      return Dictionary(digests.map { ($0, size) }, uniquingKeysWith: { $1 })
    }

    func upload(_ parts: [SamplePart]) async throws { try await center.upload(parts) }

    func download(_ ranges: [SampleRange]) async throws -> [Data] {
      if let samples { return ranges.map { _ in samples } }
      return await center.download(ranges)
    }
  }

  @Test(arguments: [Int64.min, -1, 1 << 47, .max])
  func impossibleTimeIsRejected(_ time: Int64) async throws {
    let synchronizer = Synchronizer(store: store, transport: HostileCenter(time: time))
    await #expect(throws: HistoryError.self) { try await synchronizer.sync() }
  }

  @Test(arguments: [Int.min, -1])
  func negativeOffsetIsRejected(_ size: Int) async throws {
    let synchronizer = Synchronizer(store: store, transport: HostileCenter(size: size))
    await #expect(throws: SyncError.self) { try await synchronizer.sync() }
  }

  /// Checks that a recording without its samples is rejected and the other objects are merged.
  @Test(arguments: [Data(), Data(repeating: 1, count: 1 << 20)])
  func recordingWithoutItsSamplesIsRejected(_ samples: Data) async throws {
    let center = MemoryCenter()
    _ = try await Synchronizer(store: store, transport: center).sync()
    let recording = try #require(try store.recordings().first)
    let other = try HistoryStore(path: folder.path("other.sqlite"), mode: .create)
    let synchronizer = Synchronizer(
      store: other, transport: HostileCenter(center: center, samples: samples))
    let report = try await synchronizer.sync()
    #expect(report.refused.count == 1 && report.refused[0].contains("\(recording.key)"))
    #expect(try other.setCount() == 1 && other.recordings().isEmpty)
    #expect(try await synchronizer.sync().didNothing)
  }
}
