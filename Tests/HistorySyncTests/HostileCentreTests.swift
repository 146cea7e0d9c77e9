import Foundation
import HistorySync
import Motion
import SyncTestSupport
import TestSupport
import Testing
import WorkoutHistory

/// An impossible answer of a centre ends the sync with an error, and does not crash the app.
@Suite struct HostileCentreTests {
  private let folder: TemporaryFolder
  private let store: HistoryStore

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
    try store.save(
      Recording(name: "X", samples: Example.samples(seconds: 6)),
      sets: [Example.set(.declared, 101, 105, reps: 4)])
  }

  private struct HostileCentre: SyncTransport {
    var centre = MemoryCentre()
    /// A false time to report.
    var time: Int64?
    /// A false number of received bytes to report for every segment.
    var size: Int?
    /// False bytes to report for all samples.
    var samples: Data?

    func pull(_ request: PullRequest) async throws -> PullResponse {
      var response = try await centre.pull(request)
      response.time = time ?? response.time
      return response
    }

    func push(_ request: PushRequest) async throws -> PushResponse {
      try await centre.push(request)
    }

    func received(_ digests: [String]) async throws -> [String: Int] {
      guard let size else { return await centre.received(digests) }
      return Dictionary(digests.map { ($0, size) }, uniquingKeysWith: { $1 })
    }

    func upload(_ parts: [SamplePart]) async throws { try await centre.upload(parts) }

    func download(_ ranges: [SampleRange]) async throws -> [Data] {
      if let samples { return ranges.map { _ in samples } }
      return await centre.download(ranges)
    }
  }

  @Test(arguments: [Int64.min, -1, 1 << 47, .max])
  func aTimeThatCannotBeIsRefused(_ time: Int64) async throws {
    let synchronizer = Synchronizer(store: store, transport: HostileCentre(time: time))
    await #expect(throws: HistoryError.self) { try await synchronizer.sync() }
  }

  @Test(arguments: [Int.min, -1])
  func aNegativeOffsetIsRefused(_ size: Int) async throws {
    let synchronizer = Synchronizer(store: store, transport: HostileCentre(size: size))
    await #expect(throws: SyncError.self) { try await synchronizer.sync() }
  }

  /// A recording without its samples is refused; the other objects are merged.
  @Test(arguments: [Data(), Data(repeating: 1, count: 1 << 20)])
  func whatItHasNoSamplesOfIsRefused(_ samples: Data) async throws {
    let centre = MemoryCentre()
    _ = try await Synchronizer(store: store, transport: centre).sync()
    let recording = try #require(try store.recordings().first)
    let other = try HistoryStore(path: folder.path("other.sqlite"), mode: .create)
    let synchronizer = Synchronizer(
      store: other, transport: HostileCentre(centre: centre, samples: samples))
    let report = try await synchronizer.sync()
    #expect(report.refused.count == 1 && report.refused[0].contains("\(recording.key)"))
    #expect(try other.setCount() == 1 && other.recordings().isEmpty)
    #expect(try await synchronizer.sync().didNothing)
  }
}
