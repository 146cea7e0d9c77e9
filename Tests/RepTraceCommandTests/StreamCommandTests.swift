import Foundation
import TestSupport
import Testing
import WorkoutHistory

/// Tests of the command as a process: threads, signals, exit statuses.
@Suite struct StreamCommandTests {
  private func fixture(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: PackageFolder.recording(name)))
  }

  @Test(arguments: ["deadlift-ndjson.ndjson", "row-lost-chunks.ndjson"])
  func countsLikeProcess(name: String) throws {
    let path = PackageFolder.recording(name)
    let processed = try #require(
      try ReptraceRun(["process", path, "--output", "ndjson"]).objects().first)
    let run = try ReptraceRun(["stream"], input: try fixture(name))
    #expect(run.status == 0)
    let events = try run.objects()
    #expect(events.count { $0["event"] as? String == "setEnded" } == 1)
    let last = try #require(
      events.last { ["setEnded", "setRevised"].contains($0["event"] as? String) })
    #expect(last["reps"] as? Int == processed["reps"] as? Int)
    #expect(last["confidence"] as? Double == processed["confidence"] as? Double)
    #expect(last["setId"] as? String == processed["setId"] as? String)
    #expect(events.first?["cause"] as? String == "declared")
  }

  @Test func storesTheSameAsProcess() throws {
    let scratch = try ScratchFolder()
    let streamed = scratch.path("streamed.sqlite")
    let processed = scratch.path("processed.sqlite")
    let name = "row-lost-chunks.ndjson"
    let first = try ReptraceRun(["stream", "--store", streamed], input: try fixture(name))
    #expect(first.status == 0)
    _ = try ReptraceRun([
      "process", PackageFolder.recording(name), "--store", processed,
    ])
    let exports = try [streamed, processed].map {
      try ReptraceRun(["history", "export", $0, "1", "--samples", "--output", "csv"]).output
    }
    #expect(exports[0] == exports[1])
    #expect(exports[0].split(separator: "\n").count > 100)

    // Every message is acknowledged, chunks by the hash of their line. Sending them again changes nothing.
    let messages = try fixture(name).split(separator: UInt8(ascii: "\n"))
    let chunks = messages.count { String(decoding: $0, as: UTF8.self).contains("\"samples\"") }
    for run in [first, try ReptraceRun(["stream", "--store", streamed], input: try fixture(name))] {
      let events = try run.objects()
      let acks = events.filter { $0["event"] as? String == "ack" }
      #expect(acks.count { ($0["sha256"] as? String)?.count == 64 } == chunks)
      #expect(acks.compactMap { $0["line"] as? Int } == Array(1...messages.count))
    }
    let again = try ReptraceRun(["stream", "--store", streamed], input: try fixture(name))
    #expect(try Set(again.objects().compactMap { $0["event"] as? String }) == ["ack"])
    #expect(
      try ReptraceRun(["history", "export", streamed, "1", "--samples", "--output", "csv"]).output
        == exports[0])
  }

  /// After every command, the store is a single file.
  @Test func leavesNoSidecarFiles() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let name = "deadlift-ndjson.ndjson"
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
    }
    let streamed = try ReptraceRun(["stream", "--store", store], input: try fixture(name))
    #expect(streamed.status == 0)
    #expect(try files() == ["history.sqlite"])
    let set = try #require(try listedSets(store).first)
    #expect(try files() == ["history.sqlite"])
    let recording = PackageFolder.recording(name)
    for arguments in [
      ["process", recording, "--store", store], ["history", "correct", store, "1", "--reps", "7"],
      ["history", "recount", store], ["history", "verify", store], ["history", "vacuum", store],
      ["history", "show", store, "1"], ["history", "export", store, "1"],
      ["history", "delete", store, "1"], ["history", "delete", store, "1"],
      ["history", "delete", store, "--undo", try #require(set["set"] as? String)],
    ] {
      let run = try ReptraceRun(arguments)
      #expect(run.status == 0 || arguments[1] == "delete", "\(arguments): \(run.errors)")
      #expect(try files() == ["history.sqlite"], "\(arguments)")
    }
  }

  /// Restarts anywhere keep event numbers consecutive, and the history equals that of one run.
  @Test func cleanRestartsLoseNothing() throws {
    let scratch = try ScratchFolder()
    let whole = scratch.path("whole.sqlite")
    let text = try fixture("deadlift-ndjson.ndjson")
    let lines = text.split(separator: UInt8(ascii: "\n"))
    #expect(try ReptraceRun(["stream", "--store", whole], input: text).status == 0)
    func contents(_ store: String) throws -> [String] {
      [
        try ReptraceRun(["history", "list", store, "--output", "csv"]).output,
        try ReptraceRun(["history", "export", store, "1", "--samples", "--output", "csv"]).output,
      ]
    }
    let store = scratch.path("parts.sqlite")
    var numbers: [Int] = []
    for start in stride(from: 0, to: lines.count, by: 4) {
      let part = Data(lines[start..<min(start + 4, lines.count)].joined(separator: [0x0A])) + [0x0A]
      let run = try ReptraceRun(["stream", "--store", store], input: part)
      #expect(run.status == 0)
      numbers += try run.objects().compactMap { $0["number"] as? Int }
    }
    #expect(try contents(store) == contents(whole))
    #expect(numbers == Array(1...max(1, numbers.count)))
  }

  /// A set in rest whose workout was closed by another one keeps the dates of its reps across a restart.
  @Test func datesFollowTheLastResult() throws {
    let scratch = try ScratchFolder()
    var lines = try fixture("row-lost-chunks.ndjson").split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
    let session = "4ED4C260-E927-4D4B-B2F7-8D1343ACD3D3"
    lines.insert(
      contentsOf: [
        #"{"type":"startWorkout","sessionId":"OTHER","timestamp":1747932569}"#,
        #"{"type":"updatePhase","sessionId":"\#(session)","phase":"rest"}"#,
      ], at: 5)
    func listed(_ store: String, cutAt place: Int) throws -> String {
      for part in [lines[..<place], lines[place...]] {
        let input = Data((part.joined(separator: "\n") + "\n").utf8)
        let run = try ReptraceRun(["stream", "--store", scratch.path(store)], input: input)
        #expect(run.status == 0)
        if part.contains(lines[5]) {
          #expect(run.lines.contains { $0.contains(#""kind":"workout""#) && $0.contains("userId") })
        }
      }
      // If a workout is closed before anything is saved, the name from `startExercise` is lost.
      return try ReptraceRun(["history", "list", scratch.path(store), "--output", "ndjson"]).output
        .replacing(#","exerciseName":"row""#, with: "").replacing(#/"exercise":"[^"]*",/#, with: "")
    }
    let whole = try listed("whole.sqlite", cutAt: lines.count)
    #expect(try listed("parts.sqlite", cutAt: 5) == whole)
    #expect(whole.contains("\"startTime\":1747932584.338"))
  }

  /// A second stream would finalize the sets of the first, so it is refused and the first continues.
  /// `process` may save at the same time, even the set that is being streamed.
  @Test func concurrentStreamsAreRefused() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let name = "deadlift-ndjson.ndjson"
    let text = try fixture(name)
    let lines = text.split(separator: UInt8(ascii: "\n"))
    let run = try RunningReptrace(["stream", "--store", store])
    try run.send(lines: lines.prefix(lines.count / 2))
    try run.read(until: "\"event\":\"ack\"")
    let second = try ReptraceRun(["stream", "--store", store], input: text)
    #expect(second.status == 74)
    #expect(second.output.isEmpty)
    #expect(second.errors.contains("another stream"))
    let other = PackageFolder.recording("row-lost-chunks.ndjson")
    let same = PackageFolder.recording(name)
    #expect(try ReptraceRun(["process", other, same, "--store", store]).status == 0)
    try run.send(lines: lines.dropFirst(lines.count / 2))
    run.finish()
    #expect(try ReptraceRun(["history", "verify", store]).status == 0)

    // The history equals that of separate runs.
    let alone = scratch.path("alone.sqlite")
    #expect(try ReptraceRun(["process", other, same, "--store", alone]).status == 0)
    func contents(_ store: String) throws -> [[String]] {
      let listed = try listedSets(store)
      return try listed.map { row in
        let number = try #require(row["number"] as? Int)
        let samples = try ReptraceRun([
          "history", "export", store, "\(number)", "--samples", "--output", "csv",
        ]).output
        return ["\(row["set"] ?? "")", "\(row["reps"] ?? "")", samples]
      }.sorted { $0[0] < $1[0] }
    }
    #expect(try contents(store) == contents(alone))
    #expect(try contents(store).count == 2)
  }

  /// Starts a stream and sends the first lines of a fixture.
  private func started(
    _ arguments: [String], umask: String = "022", firstLines count: Int
  ) throws -> (run: RunningReptrace, rest: ArraySlice<Data>) {
    let run = try RunningReptrace(["stream"] + arguments, umask: umask)
    let lines = try fixture("deadlift-ndjson.ndjson").split(separator: UInt8(ascii: "\n"))
    try run.send(lines: lines.prefix(count))
    return (run, lines.dropFirst(count))
  }

  /// The store and its sidecar files are private.
  @Test(arguments: ["000", "022", "777"]) func storesArePrivate(umask: String) throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let (run, _) = try started(["--store", store], umask: umask, firstLines: 16)
    try #require(!run.output.availableData.isEmpty)
    for end in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: store + end)
      #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(end)")
    }
    run.finish()
  }

  /// Messages saved to a deleted file must not be acknowledged.
  @Test(arguments: [false, true]) func deletingTheStoreEndsTheStream(isReplaced: Bool) throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let (run, rest) = try started(["--store", store], firstLines: 16)
    // Wait for the events that these lines cause.
    try run.read(until: "\"event\":\"ack\"", times: 4)
    try FileManager.default.moveItem(atPath: store, toPath: store + ".gone")
    if isReplaced { try FileManager.default.copyItem(atPath: store + ".gone", toPath: store) }
    try? run.send(lines: rest)
    #expect(!run.finish(status: 74).contains("\"event\":\"ack\""))
  }

  @Test func hardLinksAreTheSameStore() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    #expect(try ReptraceRun(["stream", "--store", store], input: Data()).status == 0)
    let link = scratch.path("link.sqlite")
    try FileManager.default.linkItem(atPath: store, toPath: link)
    let (run, _) = try started(["--store", store], firstLines: 16)
    _ = run.output.availableData
    #expect(try ReptraceRun(["stream", "--store", link], input: Data()).status == 74)
    run.finish()
  }

  /// Returns a stream that is blocked because nobody reads its output.
  private func stuck(_ arguments: [String]) throws -> Process {
    let (run, _) = try started(arguments, firstLines: 3)
    let noise = Data(String(repeating: "nonsense\n", count: 20_000).utf8)
    let input = run.input
    Thread { try? input.write(contentsOf: noise) }.start()
    _ = run.output.availableData
    var waiting: Int32 = 0
    repeat {
      Thread.sleep(forTimeInterval: 0.05)
      try #require(run.process.isRunning)
      try #require(ioctl(run.output.fileDescriptor, UInt(FIONREAD), &waiting) == 0)
    } while waiting < 1 << 15
    return run.process
  }

  /// If nobody reads the output, SIGTERM still ends the process, and the next run emits the missing events.
  @Test func drainingHasADeadline() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let process = try stuck(["--store", store, "--drain-seconds", "1"])
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 74)
    #expect(try ReptraceRun(["stream", "--store", store], input: Data()).status == 0)
  }

  @Test func secondSignalEndsTheProcessAtOnce() throws {
    let process = try stuck([])
    kill(process.processIdentifier, SIGTERM)
    // Repeat: the second signal is ignored until the first has been handled.
    while process.isRunning {
      Thread.sleep(forTimeInterval: 0.05)
      kill(process.processIdentifier, SIGINT)
    }
    #expect(process.terminationReason == .uncaughtSignal)
  }

  @Test func hangupDoesNotEndTheProcess() throws {
    let (run, rest) = try started([], firstLines: 16)
    _ = run.output.availableData
    kill(run.process.processIdentifier, SIGHUP)
    try run.send(lines: rest)
    #expect(run.finish().contains("\"event\":\"setEnded\""))
  }

  /// If the input stays open, a signal finalizes the received messages and emits the results.
  @Test(arguments: [SIGTERM, SIGINT]) func terminationFinishesCleanly(signal: Int32) throws {
    let (run, rest) = try started([], firstLines: 0)
    let lines = rest.filter { !String(decoding: $0, as: UTF8.self).contains("\"endSet\"") }
    try run.send(lines: lines)
    try run.input.write(contentsOf: Data("{\"half a li".utf8))
    // Wait until some lines were processed.
    var text = try run.read(until: "\"event\":\"rep\"", times: 3)
    kill(run.process.processIdentifier, signal)
    text += String(decoding: run.output.readDataToEndOfFile(), as: UTF8.self)
    run.process.waitUntilExit()
    #expect(run.process.terminationReason == .exit)
    #expect(run.process.terminationStatus == 0)
    #expect(text.contains("\"event\":\"setEnded\""))
    #expect(!text.contains("\"event\":\"error\""))
    #expect(text.hasSuffix("}\n"))
  }

  @Test func outputFailuresHaveDistinctStatuses() throws {
    // Nobody reads the output; below, the disk is full.
    let (run, rest) = try started([], firstLines: 0)
    try run.output.close()
    try? run.send(lines: rest)
    try run.input.close()
    run.process.waitUntilExit()
    #expect(run.process.terminationReason == .exit)
    #expect(run.process.terminationStatus == 74)
    let input = try fixture("deadlift-ndjson.ndjson")
    let full = try ReptraceRun(["stream"], input: input, shell: #"exec "$0" "$@" >/dev/full"#)
    #expect(full.status == 74)
    #expect(try ReptraceRun(["stream", "--store", "/nowhere/x"], input: input).status == 73)
    #expect(try ReptraceRun(["stream", "--gap-wait=-1"], input: input).status == 64)
  }

  /// Returns the chunks of a session, with additional members; a set of at most six reps.
  private func chunks(_ members: String = "") -> [String] {
    let rows = ProcessCommandTests.curls(reps: 6).split(separator: "\n")
      .map { $0.split(separator: ",") }
    return stride(from: 1, to: rows.count, by: 100).map { start in
      let samples = rows[start..<min(start + 100, rows.count)].map { row in
        "{" + zip(rows[0], row).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      }
      return #"{"sessionId":"S",\#(members)"samples":[\#(samples.joined(separator: ","))]}"#
    }
  }

  private func stream(
    _ lines: [String], _ options: [String] = [], separator: String = "\n"
  ) throws -> [[String: Any]] {
    let run = try ReptraceRun(
      ["stream"] + options, input: Data((lines.joined(separator: separator) + separator).utf8))
    #expect(run.status == 0, "\(run.errors)")
    return try run.objects()
  }

  /// The option is the same as for `process`.
  @Test func setProbabilityCanBeChosen() throws {
    let chunks = chunks(#""sessionId":"S","#)
    for (probability, sets) in [("0.5", 1), ("1", 0)] {
      let events = try stream(chunks, ["--set-probability", probability])
      #expect(events.count { $0["event"] as? String == "setEnded" } == sets)
    }
    #expect(try ReptraceRun(["stream", "--set-probability", "2"], input: Data()).status == 64)
  }

  /// Lines may end in CRLF; empty ones are counted. Acknowledgements contain a chunk's own id.
  @Test func acknowledgementsNameChunksAndLines() throws {
    let scratch = try ScratchFolder()
    let chunks = chunks(#""setId":"X","chunkId":"c1","#)
    let events = try stream(
      [""] + chunks, ["--store", scratch.path("h.sqlite")], separator: "\r\n")
    let acks = events.filter { $0["event"] as? String == "ack" }
    #expect(acks.map { $0["line"] as? Int } == Array(2...chunks.count + 1))
    #expect(acks.allSatisfy { $0["chunkId"] as? String == "c1" && $0["sha256"] == nil })
    #expect(!events.contains { $0["event"] as? String == "error" })
    #expect(events.last { $0["event"] as? String == "setEnded" }?["reps"] as? Int == 6)
  }

  private static let ids = #""sessionId":"S","setId":"X""#
  private static let start = #"{"type":"startSet",\#(ids),"timestamp":1700000000}"#
  private static let end = #"{"type":"endSet",\#(ids)}"#

  /// Chunks without a set or phase belong to the current ones.
  @Test(arguments: ["updatePhase", "phase_change_detected"])
  func chunksWithoutPhaseGetTheCurrentOne(type: String) throws {
    let rest = #"{"type":"\#(type)",\#(Self.ids),"phase":"rest"}"#
    for (messages, reps) in [([Self.start], 6), ([Self.start, rest], 0)] {
      let events = try stream(messages + chunks() + [Self.end])
      #expect(
        events.filter { $0["event"] as? String == "setEnded" }.map { $0["reps"] as? Int } == [reps])
    }
  }

  /// Sets get candidates from the movements of their own person, not of others in the store.
  @Test(arguments: ["", "bob"]) func candidatesComeFromTheOwnPerson(learned: String) throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("h.sqlite")
    for (name, reps) in [("monday.csv", 6), ("tuesday.csv", 8)] {
      let recording = try scratch.writeCurls(reps: reps, to: name)
      let user = learned.isEmpty ? [] : ["--user", learned]
      try #require(
        try ReptraceRun(["process", recording, "--store", store, "--exercise", "Curl"] + user)
          .status == 0)
    }
    for (index, person) in ["", "bob", "BOB", "carl"].enumerated() {
      let copy = scratch.path("\(index).sqlite")
      try FileManager.default.copyItem(atPath: store, toPath: copy)
      let workout = #"{"type":"startWorkout","sessionId":"S","userId":"\#(person)"}"#
      let events = try stream([workout, Self.start] + chunks() + [Self.end], ["--store", copy])
      let names = events.filter { $0["event"] as? String == "setEnded" }
        .map { ($0["exerciseCandidate"] as? [String: Any])?["name"] as? String }
      #expect(names == [person.lowercased() == learned ? "Curl" : nil], "\(person)")
    }
  }

  /// Movements that another program learns name sets of the next workout, without a restart.
  @Test func newlyLearnedMovementsNameTheNextWorkout() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("h.sqlite")
    let run = try RunningReptrace(["stream", "--store", store])
    func candidate(session: String) throws -> String? {
      let messages =
        [#"{"type":"startWorkout","sessionId":"\#(session)"}"#, Self.start] + chunks() + [Self.end]
      let lines = messages.map { $0.replacing(#""S""#, with: #""\#(session)""#) + "\n" }.joined()
      try run.input.write(contentsOf: Data(lines.utf8))
      var received = ""
      while true {
        let more = run.output.availableData
        try #require(!more.isEmpty)
        received += String(decoding: more, as: UTF8.self)
        let ended = received.split(separator: "\n").first {
          $0.contains("\"setEnded\"") && $0.hasSuffix("}")
        }
        guard let ended else { continue }
        let event = try JSONSerialization.jsonObject(with: Data(ended.utf8)) as? [String: Any]
        return (event?["exerciseCandidate"] as? [String: Any])?["name"] as? String
      }
    }
    #expect(try candidate(session: "S1") == nil)
    for (name, reps) in [("monday.csv", 6), ("tuesday.csv", 8)] {
      let recording = try scratch.writeCurls(reps: reps, to: name)
      try #require(
        try ReptraceRun(["process", recording, "--store", store, "--exercise", "Curl"]).status == 0)
    }
    #expect(try candidate(session: "S2") == "Curl")
    run.finish()
  }

  @Test func exercisesAndHealthDataBelongToTheSession() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("h.sqlite")
    let events = try stream(
      [
        #"{"type":"startExercise","sessionId":"S","exerciseId":"E"}"#, Self.start,
        #"{"type":"healthData","sessionId":"S","heartRate":120,"timestamp":1700000005}"#,
      ] + chunks(#""setId":"X","#) + [Self.end], ["--store", store])
    let ended = events.filter { $0["event"] as? String == "setEnded" }
    #expect(ended.map { $0["exerciseId"] as? String } == ["E"])
    let history = try HistoryStore(path: store, mode: .readOnly)
    let set = try #require(try history.set("X"))
    #expect(try history.timeline(ofSet: set.id).health.map(\.heartRateBPM) == [120])
  }

  @Test func framesAndHostileLinesAreSeparated() throws {
    var input = Data("nonsense\n".utf8)
    input += Data([0x52, 0x54, 0x43, 0xF1, 9, 9, 9, 9, 9, 9, 9, 9, 9])
    input += Data("\n".utf8) + Data(repeating: UInt8(ascii: "["), count: 3000) + Data("\n".utf8)
    input += try fixture("deadlift-ndjson.ndjson")
    let run = try ReptraceRun(["stream", "--line-limit", "100000"], input: input)
    #expect(run.status == 0)
    let events = try run.objects()
    let errors = events.filter { $0["event"] as? String == "error" }
    #expect(errors.first?["line"] as? Int == 1)
    #expect(errors.contains { $0["kind"] as? String == "invalidFrame" })
    #expect(events.count { $0["event"] as? String == "setEnded" } == 1)

    let short = try ReptraceRun(["stream", "--line-limit", "1000"], input: input)
    #expect(short.status == 0)
    #expect(try short.objects().contains { $0["kind"] as? String == "limitExceeded" })
  }

  /// A few of the hundreds of kills in `make test-full`.
  @Test(.enabled(if: hasPython, "needs python3")) func survivesKills() throws {
    let done = try run(
      "python3",
      [
        PackageFolder.path("Tests/Stream/stream_checks.py"), "kills",
        try ReptraceRun.executable().path, "--kills", "5", "--seed", "3",
      ])
    #expect(done.status == 0, "\(done.output)")
  }
}
