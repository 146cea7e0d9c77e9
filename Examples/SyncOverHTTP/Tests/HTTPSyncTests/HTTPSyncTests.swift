import AsyncHTTPClient
import Foundation
import HTTPSync
import HistorySync
import Hummingbird
import Motion
import NIOCore
import Testing
import WorkoutHistory

/// Devices, a server on loopback, and its centers, in one process.
@Suite struct HTTPSyncTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("reptrace-http-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs `body` with a server that knows Alice and Bob.
  private func withServer(_ body: (String) async throws -> Void) async throws {
    let server = SyncServer(people: [
      SyncServer.digest(ofToken: "token-of-alice"): MemoryCenter(),
      SyncServer.digest(ofToken: "token-of-bob"): MemoryCenter(),
    ])
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: server.router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await application.run() }
      for await port in ports {
        try await body("http://127.0.0.1:\(port)")
        break
      }
      group.cancelAll()
    }
  }

  private func store(_ name: String) throws -> HistoryStore {
    try HistoryStore(path: folder.appendingPathComponent(name + ".sqlite").path, mode: .create)
  }

  /// Adds a workout of one set with samples in several parts.
  private func live(_ store: HistoryStore) throws {
    var generator = SystemRandomNumberGenerator()
    let rows = 200_000
    let samples = MotionBatch([
      .time: (0..<rows).map { 100 + Double($0) / 50 },
      .rotationRateX: (0..<rows).map { _ in Double.random(in: -1...1, using: &generator) },
    ])
    let rep = CountedRep(start: 101, end: 103, confidence: 0.95)
    try store.save(
      Recording(
        name: "X", identity: SetIdentity(sessionId: "W", exerciseId: "E", setId: "X"),
        samples: samples),
      sets: [CountedSet(cause: .declared, start: 100.5, end: 4000, reps: [rep], confidence: 0.9)])
  }

  private func refusal(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
    } catch let error as SyncError {
      return "\(error)"
    } catch {}
    return ""
  }

  @Test func peopleReceiveOnlyTheirOwnSets() async throws {
    try await withServer { address in
      let (phone, watch, bobs) = (try store("phone"), try store("watch"), try store("bobs"))
      try live(phone)
      func sync(_ store: HistoryStore, _ token: String) async throws -> SyncReport {
        try await Synchronizer(
          store: store, transport: try HTTPCenter(address: address, token: token)
        ).sync()
      }
      let sent = try await sync(phone, "token-of-alice")
      #expect(sent.sent >= 4 && sent.sentBytes > SyncExchange.longestPart)
      let received = try await sync(watch, "token-of-alice")
      #expect(received.receivedBytes == sent.sentBytes && received.refused.isEmpty)
      let (mine, theirs) = (
        try #require(try phone.set("W/X")), try #require(try watch.set("W/X"))
      )
      let (sentSamples, copy) = (
        try phone.samples(ofRecording: #require(mine.recordingId)),
        try watch.samples(ofRecording: #require(theirs.recordingId))
      )
      #expect(copy.times == sentSamples.times)
      #expect(copy[.rotationRateX] == sentSamples[.rotationRateX])
      try watch.correct(set: theirs.id, reps: 12)
      _ = try await sync(watch, "token-of-alice")
      _ = try await sync(phone, "token-of-alice")
      #expect(try phone.set("W/X")?.reps == 12)
      let idle = try await sync(phone, "token-of-alice")
      #expect(idle.didNothing && idle.roundTrips == 1)

      // Bob receives none of it, whatever he requests.
      #expect(try await sync(bobs, "token-of-bob").received == 0)
      let bob = try HTTPCenter(address: address, token: "token-of-bob")
      let digests = try phone.sampleDigests(of: "W/X")
      #expect(!digests.isEmpty)
      #expect(try await bob.received(digests).isEmpty)
      let range = SampleRange(digest: digests[0], offset: 0, count: 10)
      #expect(try await bob.download([range]) == [Data()])
    }
  }

  @Test func badRequestsAreAnsweredWithTheReason() async throws {
    try await withServer { address in
      let stranger = try HTTPCenter(address: address, token: "token-of-nobody")
      func request(limit: Int, version: Int = 1) throws -> PullRequest {
        let text =
          #"{"device":"1","position":0,"limit":\#(limit),"version":\#(version)}"#
        return try JSONDecoder().decode(PullRequest.self, from: Data(text.utf8))
      }
      let pull = try request(limit: 10)
      #expect(await refusal { _ = try await stranger.pull(pull) }.contains("not know this token"))

      let alice = try HTTPCenter(address: address, token: "token-of-alice")
      let newer = try request(limit: 10, version: 2)
      #expect(await refusal { _ = try await alice.pull(newer) }.contains("--init"))
      let long = try request(limit: 1_000_000)
      #expect(await refusal { _ = try await alice.pull(long) }.contains("limit must be 1 to"))
      let good = SamplePart(
        digest: SyncExchange.digest(of: Data([1, 2])), size: 2, offset: 0, bytes: Data([1, 2]))
      func upload(_ change: (inout SamplePart) -> Void) async -> String {
        var bad = good
        change(&bad)
        return await refusal { try await alice.upload([bad]) }
      }
      #expect(await upload { $0.bytes = Data([9, 9]) }.contains("damaged"))
      #expect(await upload { $0.digest = "../x" }.contains("64 hexadecimal digits"))
      #expect(await upload { $0.offset = 1 }.contains("length of the part"))
      for (offset, count, reason) in [
        (-1, 1, "offset must be"), (0, SyncExchange.longestPart + 1, "length of all parts"),
      ] {
        let range = SampleRange(digest: good.digest, offset: offset, count: count)
        #expect(await refusal { _ = try await alice.download([range]) }.contains(reason))
      }

      // Too long and malformed messages, sent without the client.
      for (length, status, reason) in [
        (SyncServer.longestMessage + 1, UInt(413), "longer than"), (3, 400, "cannot be read"),
      ] {
        var request = HTTPClientRequest(url: address + "/upload")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer token-of-alice")
        request.body = .bytes(ByteBuffer(repeating: 0x20, count: length))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        #expect(response.status.code == status)
        let answer = try await response.body.collect(upTo: 1000)
        #expect(String(buffer: answer).contains(reason))
      }
    }
  }

  @Test func tokensAreNotSentUnencrypted() async throws {
    for address in [
      "http://gym.example", "ftp://127.0.0.1", "https://alice:secret@gym.example", "gym.example",
    ] {
      let error = #expect(throws: SyncError.self) { try HTTPCenter(address: address, token: "t") }
      #expect(error.map { "\($0)" }?.contains("secret") == false)
    }
    #expect(throws: SyncError.self) {
      try HTTPCenter(address: "https://gym.example", token: "two\nlines")
    }
    // No server listens there.
    let nobody = try HTTPCenter(address: "http://127.0.0.1:1", token: "t")
    #expect(await refusal { _ = try await nobody.received([]) }.contains("cannot be reached"))
  }
}

extension HistoryStore {
  /// Returns the digests of a recording's samples.
  fileprivate func sampleDigests(of recording: HistoryRecordingRow.Key) throws -> [String] {
    try Array(sync.samples(of: recording).keys)
  }
}
