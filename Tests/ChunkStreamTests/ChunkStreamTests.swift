import ChunkStream
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct ChunkStreamTests {
  let folder: TemporaryFolder
  var path: String { folder.path("people.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Returns two seconds of a movement with a period of two and a half seconds.
  private func samples(_ index: Int) -> String {
    let rows = (0..<100).map { row in
      let time = Double(index) * 2 + Double(row) / 50
      let angle = 2 * Double.pi * time / 2.5
      return """
        {"timestamp":\(1000 + time),"rotationX":\(2 * sin(angle)),"rotationY":0.01,"rotationZ":0.02,\
        "accelerationX":\(0.2 * cos(angle)),"accelerationY":0.01,"accelerationZ":0.02,\
        "gravityX":\(sin(cos(angle))),"gravityY":0,"gravityZ":\(-cos(cos(angle)))}
        """
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  private func chunk(_ index: Int, session: String, from sender: String) -> ChunkStream.Message {
    let text = #"{"sessionId":"\#(session)","setId":"one","samples":\#(samples(index))}"#
    return .init(.json(Array(text.utf8)), sender: sender)
  }

  private func control(
    _ type: String, session: String, from sender: String, _ more: String = ""
  ) -> ChunkStream.Message {
    let text = #"{"type":"\#(type)","sessionId":"\#(session)","timestamp":1.7e9\#(more)}"#
    return .init(.json(Array(text.utf8)), sender: sender)
  }

  @Test func acknowledgesAfterCommitAndResumesAfterRestart() async throws {
    let stream = try ChunkStream(path: path)
    for index in 0..<4 {
      let answers = try await stream.send([chunk(index, session: "s", from: "ada")])
      #expect(answers.count == 1)
      #expect(answers.first?.json.contains(#""event":"ack","line":1,"sha256""#) == true)
    }
    try await stream.close()
    let second = try ChunkStream(path: path)
    // The last chunk is sent again, as if its answer was lost.
    let answers = try await second.send(
      [3, 4, 5, 6].map { chunk($0, session: "s", from: "ada") }
        + [control("endSet", session: "s", from: "ada", #","setId":"one""#)])
    #expect(answers.map(\.isError) == [false, false, false, false, false])
    let sets = try second.sets(of: "ada", before: nil, limit: 10)
    #expect(sets.map(\.key) == ["s/one"])
    #expect(try second.samplesCSV(of: #require(sets.first)).split(separator: "\n").count == 701)
    #expect(try second.details(of: #require(sets.first)).contains(#""repEvents":[{"#))
    #expect(try second.plotSVG(of: #require(sets.first)).contains("<svg"))
    try await second.close()
  }

  @Test func sessionBelongsToItsFirstSender() async throws {
    let stream = try ChunkStream(path: path)
    _ = try await stream.send([
      control("startWorkout", session: "s", from: "ada", #","userId":"bea""#),
      chunk(0, session: "s", from: "ada"),
    ])
    let refused = try await stream.send([
      chunk(1, session: "S", from: "bea"),
      control("startWorkout", session: "s", from: "bea", #","userId":"ada""#),
      control("endWorkout", session: "s", from: "bea"),
    ])
    #expect(refused.map(\.isError) == [true, true, true])
    #expect(refused.allSatisfy { $0.json.contains(#""kind":"ambiguousSession""#) })
    try await stream.close()
    // The owner is also known after a restart.
    let second = try ChunkStream(path: path)
    #expect(try await second.send([chunk(1, session: "s", from: "bea")]).map(\.isError) == [true])
    #expect(second.owner(ofSession: "s") == "ada")
    let ending = try await second.send([
      chunk(1, session: "s", from: "ada"), control("endWorkout", session: "s", from: "ada"),
    ])
    #expect(ending.map(\.isError) == [false, false])
    #expect(try second.sets(of: "ada", before: nil, limit: 10).count == 1)
    #expect(try second.sets(of: "bea", before: nil, limit: 10).isEmpty)
    #expect(try second.set("s/one", of: "ADA") != nil)
    #expect(try second.set("s/one", of: "bea") == nil)
    #expect(try second.set("1", of: "ada") == nil)
    try await second.close()
  }

  @Test func readsIdsFromASidecar() async throws {
    let stream = try ChunkStream(path: path)
    let array = ChunkStream.Message.Content.json(Array(samples(0).utf8))
    let sidecar = Array(#"{"sessionId":"s","setId":"one","phase":"execution"}"#.utf8)
    let answers = try await stream.send([
      .init(array, sender: "ada"), .init(array, sender: "ada", sidecar: sidecar),
      .init(array, sender: "ada", sidecar: Array("{".utf8)),
    ])
    #expect(answers.map(\.isError) == [true, false, true])
    #expect(answers[0].json.contains("names no session"))
    #expect(answers[1].json.contains(#""setId":"one","sessionId":"s""#))
    #expect(answers[2].json.contains("metadata"))
    try await stream.close()
  }

  @Test func messagesWithoutSessionJoinTheSendersOpenOne() async throws {
    let reading = ChunkStream.Message.Content.json(
      Array(#"{"type":"healthData","heartRate":90,"calories":1,"timestamp":1.7e9}"#.utf8))
    let stream = try ChunkStream(path: path)
    _ = try await stream.send([
      control("startWorkout", session: "a", from: "ada"),
      control("startWorkout", session: "b", from: "bea"),
    ])
    try await stream.close()
    let second = try ChunkStream(path: path)
    for (person, session) in [("ada", "a"), ("bea", "b")] {
      let answers = try await second.send([.init(reading, sender: person)])
      #expect(answers.first?.json.contains(#""sessionId":"\#(session)""#) == true)
    }
    let refused = try await second.send([
      .init(reading, sender: "cleo"), control("endWorkout", session: "a", from: "ada"),
      .init(reading, sender: "ada"),
    ])
    #expect(refused.map(\.isError) == [true, false, true])
    // Two sessions are open at once.
    let several = try await second.send([
      chunk(0, session: "c", from: "ada"), chunk(0, session: "d", from: "ada"),
      .init(reading, sender: "ada"),
    ])
    #expect(several.map(\.isError) == [false, false, true])
    try await second.close()
  }

  @Test func keepsEventsForLaterReaders() async throws {
    let live = Mutex<[ChunkStream.Event]>([])
    let stream = try ChunkStream(path: path, onEvents: { events in live.withLock { $0 += events } })
    for index in 0..<6 {
      for person in ["ada", "bea"] {
        _ = try await stream.send([chunk(index, session: "of " + person, from: person)])
      }
    }
    try await stream.close()
    let second = try ChunkStream(path: path)
    for person in ["ada", "bea"] {
      let told = live.withLock { $0 }.filter { $0.person == person }
      // The second stream announces the set that it resumes.
      let last = told.map(\.number).max() ?? 0
      let kept = try second.events(after: 0, of: person).events.filter { $0.number <= last }
      #expect(kept.map(\.json) == told.map(\.json))
      #expect(kept.contains { $0.json.contains(#""event":"rep""#) })
      #expect(kept.allSatisfy { $0.json.contains("of " + person) })
      let rest = try second.events(after: kept[1].number, of: person).events
        .filter { $0.number <= last }
      #expect(rest.map(\.number) == kept.dropFirst(2).map(\.number))
    }
    try await second.close()
  }

  @Test func rejectsMessagesWhenQueuesAreFull() async throws {
    var options = ChunkStream.Options()
    options.queuedBytes = 1
    let stream = try ChunkStream(path: path, options: options)
    let outcomes = await withTaskGroup(of: Bool?.self) { group in
      for index in 0..<64 {
        let message = chunk(index, session: "s", from: "ada")
        group.addTask {
          do {
            return try await stream.send([message]).allSatisfy { !$0.isError }
          } catch {
            guard case ChunkStream.Failure.busy = error else { return false }
            return nil
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.contains(true))
    #expect(outcomes.contains(nil))
    #expect(!outcomes.contains(false))
    try await stream.close()
    await #expect(throws: ChunkStream.Failure.self) {
      try await stream.send([chunk(0, session: "s", from: "ada")])
    }
  }

  @Test func splitsBodiesIntoMessages() throws {
    let body = Array("{\"a\":1}\r\n\n {\"b\":2}".utf8)
    let contents = try ChunkStream.cut(body, messageBytes: 1 << 20)
    #expect(contents.count == 2)
    let damaged = [0x52, 0x54, 0x43, 0xF1, 1, 0, 0, 0] as [UInt8]
    #expect(throws: ChunkStream.BodyError.self) {
      try ChunkStream.cut(damaged, messageBytes: 1 << 20)
    }
  }
}
