import Foundation
import TestSupport
import Testing

/// The command from outside: threads, signals, statuses.
@Suite struct StreamCommandTests {
  private func fixture(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: PackageFolder.recording(name)))
  }

  @Test(arguments: ["deadlift-ndjson.ndjson", "row-lost-chunks.ndjson"])
  func countsAsProcessDoes(name: String) throws {
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

  @Test func storesWhatProcessStores() throws {
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

    // Every chunk is acknowledged, by its line's hash; sent again, it changes nothing.
    let chunks = try fixture(name).split(separator: UInt8(ascii: "\n")).count {
      String(decoding: $0, as: UTF8.self).contains("\"samples\"")
    }
    for run in [first, try ReptraceRun(["stream", "--store", streamed], input: try fixture(name))] {
      let events = try run.objects()
      let acks = events.filter { $0["event"] as? String == "ack" }
      #expect(acks.count == chunks)
      #expect(acks.allSatisfy { ($0["sha256"] as? String)?.count == 64 })
    }
    let again = try ReptraceRun(["stream", "--store", streamed], input: try fixture(name))
    #expect(try Set(again.objects().compactMap { $0["event"] as? String }) == ["ack"])
    #expect(
      try ReptraceRun(["history", "export", streamed, "1", "--samples", "--output", "csv"]).output
        == exports[0])
    for end in ["", "-wal", "-shm"] {
      let file = streamed + end
      guard FileManager.default.fileExists(atPath: file) else { continue }
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  /// Everything is in the one file when a command is done, whatever it did.
  @Test func leavesNothingBesideTheStore() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let name = "deadlift-ndjson.ndjson"
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
    }
    let streamed = try ReptraceRun(["stream", "--store", store], input: try fixture(name))
    #expect(streamed.status == 0)
    #expect(try files() == ["history.sqlite"])
    let set = try #require(
      try ReptraceRun(["history", "list", store, "--output", "ndjson"]).objects().first)
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

  /// A service that is started anew in the middle of everything: what it was told ends is told again
  /// by its number, and the history is that of one run.
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

  /// A second stream would finalize the sets of the first: it is refused, and the first one goes on.
  /// `process` may save at the same time, the very set that is being streamed too.
  @Test func oneStreamAtATime() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let name = "deadlift-ndjson.ndjson"
    let text = try fixture(name)
    let lines = text.split(separator: UInt8(ascii: "\n"))
    let process = Process()
    process.executableURL = try ReptraceRun.executable()
    process.arguments = ["stream", "--store", store]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    for line in lines.prefix(lines.count / 2) {
      try input.fileHandleForWriting.write(contentsOf: line + [UInt8(ascii: "\n")])
    }
    var received = output.fileHandleForReading.availableData
    while !String(decoding: received, as: UTF8.self).contains("\"event\":\"ack\"") {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty)
      received += more
    }
    let second = try ReptraceRun(["stream", "--store", store], input: text)
    #expect(second.status == 74)
    #expect(second.output.isEmpty)
    #expect(second.errors.contains("another stream"))
    let other = PackageFolder.recording("row-lost-chunks.ndjson")
    let same = PackageFolder.recording(name)
    #expect(try ReptraceRun(["process", other, same, "--store", store]).status == 0)
    for line in lines.suffix(lines.count - lines.count / 2) {
      try input.fileHandleForWriting.write(contentsOf: line + [UInt8(ascii: "\n")])
    }
    try input.fileHandleForWriting.close()
    while case let more = output.fileHandleForReading.availableData, !more.isEmpty {
      received += more
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try ReptraceRun(["history", "verify", store]).status == 0)

    // The same as each of them alone.
    let alone = scratch.path("alone.sqlite")
    #expect(try ReptraceRun(["process", other, same, "--store", alone]).status == 0)
    func contents(_ store: String) throws -> [[String]] {
      let listed = try ReptraceRun(["history", "list", store, "--output", "ndjson"]).objects()
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

  private func started(
    _ arguments: [String], umask: String = "022", firstLines count: Int
  ) throws -> (process: Process, input: FileHandle, output: FileHandle, rest: [Data]) {
    // It may be gone before it has read all.
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    // A mask of the test's own process would be that of all tests that run meanwhile.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "umask \(umask); exec \"$0\" \"$@\"", try ReptraceRun.executable().path] + arguments
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let lines = try fixture("deadlift-ndjson.ndjson").split(separator: UInt8(ascii: "\n"))
      .map { Data($0) + [UInt8(ascii: "\n")] }
    for line in lines.prefix(count) { try input.fileHandleForWriting.write(contentsOf: line) }
    return (
      process, input.fileHandleForWriting, output.fileHandleForReading,
      Array(lines.dropFirst(count))
    )
  }

  /// The store, and what lies beside it while it is open.
  @Test(arguments: ["000", "022", "777"]) func storesAreTheirOwnersAlone(umask: String) throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let run = try started(["stream", "--store", store], umask: umask, firstLines: 16)
    try #require(!run.output.availableData.isEmpty)
    for end in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: store + end)
      #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(end)")
    }
    try run.input.close()
    _ = run.output.readDataToEndOfFile()
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 0)
  }

  /// Whoever waits for an acknowledgement must not get one for what is in a file that is gone.
  @Test(arguments: [false, true]) func aStoreThatIsDeletedEndsTheStream(isReplaced: Bool) throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let run = try started(["stream", "--store", store], firstLines: 16)
    var received = ""
    while !received.contains("\"event\":\"ack\"") {
      let more = run.output.availableData
      try #require(!more.isEmpty)
      received += String(decoding: more, as: UTF8.self)
    }
    // What those lines lead to is said.
    while received.components(separatedBy: "\"event\":\"ack\"").count < 5 {
      received += String(decoding: run.output.availableData, as: UTF8.self)
    }
    try FileManager.default.moveItem(atPath: store, toPath: store + ".gone")
    if isReplaced { try FileManager.default.copyItem(atPath: store + ".gone", toPath: store) }
    for line in run.rest { try? run.input.write(contentsOf: line) }
    try? run.input.close()
    let after = String(decoding: run.output.readDataToEndOfFile(), as: UTF8.self)
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 74)
    #expect(!after.contains("\"event\":\"ack\""))
  }

  /// Another name of the same file is the same history.
  @Test func aHardLinkIsTheSameStore() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    #expect(try ReptraceRun(["stream", "--store", store], input: Data()).status == 0)
    let link = scratch.path("link.sqlite")
    try FileManager.default.linkItem(atPath: store, toPath: link)
    let run = try started(["stream", "--store", store], firstLines: 16)
    _ = run.output.availableData
    #expect(try ReptraceRun(["stream", "--store", link], input: Data()).status == 74)
    try run.input.close()
    _ = run.output.readDataToEndOfFile()
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 0)
  }

  /// SIGTERM, and nobody reads the output: the process ends all the same, and the next run says what
  /// this one could not.
  @Test func drainingHasADeadline() throws {
    let scratch = try ScratchFolder()
    let store = scratch.path("history.sqlite")
    let run = try started(["stream", "--store", store, "--drain-seconds", "1"], firstLines: 3)
    let noise = Data(String(repeating: "nonsense\n", count: 20_000).utf8)
    let writer = Thread { try? run.input.write(contentsOf: noise) }
    writer.start()
    // Nobody reads what else it says: it waits once the pipe is full.
    _ = run.output.availableData
    var waiting: Int32 = 0
    repeat {
      Thread.sleep(forTimeInterval: 0.05)
      try #require(run.process.isRunning)
      try #require(ioctl(run.output.fileDescriptor, UInt(FIONREAD), &waiting) == 0)
    } while waiting < 1 << 15
    run.process.terminate()
    run.process.waitUntilExit()
    #expect(run.process.terminationReason == .exit)
    #expect(run.process.terminationStatus == 74)
    #expect(try ReptraceRun(["stream", "--store", store], input: Data()).status == 0)
  }

  @Test func hangingUpDoesNotEndIt() throws {
    let run = try started(["stream"], firstLines: 16)
    _ = run.output.availableData
    kill(run.process.processIdentifier, SIGHUP)
    for line in run.rest { try run.input.write(contentsOf: line) }
    try run.input.close()
    let said = String(decoding: run.output.readDataToEndOfFile(), as: UTF8.self)
    run.process.waitUntilExit()
    #expect(run.process.terminationStatus == 0)
    #expect(said.contains("\"event\":\"setEnded\""))
  }

  /// Input that stays open, and a signal: what was received is finalized and said.
  @Test func terminationFinishesCleanly() throws {
    let process = Process()
    process.executableURL = try ReptraceRun.executable()
    process.arguments = ["stream"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var lines = try fixture("deadlift-ndjson.ndjson").split(separator: UInt8(ascii: "\n"))
    lines.removeAll { String(decoding: $0, as: UTF8.self).contains("\"endSet\"") }
    for line in lines {
      try input.fileHandleForWriting.write(contentsOf: line + [UInt8(ascii: "\n")])
    }
    try input.fileHandleForWriting.write(contentsOf: Data("{\"half a li".utf8))
    // The first events say that it runs and reads.
    var received = output.fileHandleForReading.availableData
    Thread.sleep(forTimeInterval: 0.5)
    process.terminate()
    while case let more = output.fileHandleForReading.availableData, !more.isEmpty {
      received += more
    }
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    let text = String(decoding: received, as: UTF8.self)
    #expect(text.contains("\"event\":\"setEnded\""))
    #expect(!text.contains("\"event\":\"error\""))
    #expect(text.hasSuffix("}\n"))
  }

  @Test func statusesOfOutputsThatFail() throws {
    let binary = try ReptraceRun.executable().path
    func shell(_ command: String) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", command]
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    let path = PackageFolder.recording("deadlift-ndjson.ndjson")
    // Nobody reads any more; a disk that is always full.
    let run = try started(["stream"], firstLines: 0)
    try run.output.close()
    for line in run.rest { try? run.input.write(contentsOf: line) }
    try run.input.close()
    run.process.waitUntilExit()
    #expect(run.process.terminationReason == .exit)
    #expect(run.process.terminationStatus == 74)
    #expect(try shell("'\(binary)' stream <'\(path)' 2>/dev/null >/dev/full") == 74)
    #expect(try shell("'\(binary)' stream --store /nowhere/x.sqlite <'\(path)' 2>/dev/null") == 73)
    #expect(try shell("'\(binary)' stream --gap-wait=-1 <'\(path)' 2>/dev/null") == 64)
  }

  @Test func framesAndHostileLines() throws {
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
    #expect(
      try short.objects().contains { $0["kind"] as? String == "limitExceeded" })
  }

  /// A few of the kills that `make test-full` makes by the hundred.
  @Test(.enabled(if: hasPython, "needs python3")) func survivesKills() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", PackageFolder.path("Tests/Stream/stream_checks.py"), "kills",
      try ReptraceRun.executable().path, "--kills", "5", "--seed", "3",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
  }
}
