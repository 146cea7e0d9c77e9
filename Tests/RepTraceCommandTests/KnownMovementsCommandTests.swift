import Foundation
import GRDB
import Testing

/// Movements are learned when sets are saved, and suggest names for unnamed sets.
@Suite struct KnownMovementsCommandTests {
  private let folder: ScratchFolder
  private let store: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.path("history.sqlite")
  }

  /// Learns curls from two recordings.
  private func learnCurls() throws {
    for (name, reps) in [("monday.csv", 6), ("tuesday.csv", 8)] {
      let recording = try folder.writeCurls(reps: reps, to: name)
      try #require(
        try ReptraceRun(["process", recording, "--store", store, "--exercise", "Curl"]).status == 0)
    }
  }

  private func candidate(_ object: [String: Any]?) throws -> [String: Any] {
    try #require(object?["exerciseCandidate"] as? [String: Any])
  }

  @Test func unnamedSetsGetCandidatesToConfirm() throws {
    try learnCurls()
    let unnamed = try folder.writeCurls(reps: 7, to: "unnamed.csv")
    let result = try ReptraceRun(["process", unnamed, "--store", store, "--output", "ndjson"])
    let said = try candidate(try result.objects().first)
    #expect(said["name"] as? String == "Curl")
    #expect((said["probability"] as? Double ?? 0) > (said["none"] as? Double ?? 1))
    let csv = try ReptraceRun(["process", unnamed, "--store", store, "--output", "csv"])
    #expect(
      csv.lines.first?.hasSuffix(",exerciseCandidate,exerciseProbability,noneProbability") == true)

    let list = try ReptraceRun(
      ["history", "list", store, "--candidates", "--output", "ndjson"]
    ).objects()
    #expect(list.count == 1)
    let number = try #require(list.first?["number"] as? Int)
    #expect(try candidate(list.first)["name"] as? String == "Curl")
    let confirmed = try ReptraceRun(
      ["history", "correct", store, "\(number)", "--exercise", "Curl"])
    #expect(confirmed.status == 0)
    #expect(try ReptraceRun(["process", unnamed, "--store", store]).status == 0)
    let left = try ReptraceRun(["history", "list", store, "--candidates", "--output", "ndjson"])
    #expect(try left.objects().isEmpty)
    #expect(try patterns().first?["sets"] as? Int == 3)
    #expect(try ReptraceRun(["history", "verify", store]).status == 0)
  }

  /// A set that resembles a known movement of the person has a higher confidence.
  @Test func knownMovementsAffectTheConfidence() throws {
    func confidence(knowing learned: String) throws -> Double {
      let store = folder.path("\(UUID().uuidString).sqlite")
      let known = try folder.write(learned, to: "known.csv")
      #expect(
        try ReptraceRun([
          "process", known, "--store", store, "--exercise", "Curl", "--date", "2026-01-01",
        ]).status == 0)
      let unnamed = try folder.writeCurls(reps: 3, to: "unnamed.csv")
      let result = try ReptraceRun([
        "process", unnamed, "--store", store, "--date", "2026-01-08", "--output", "ndjson",
      ])
      return try #require(result.objects().first?["confidence"] as? Double)
    }
    let curls = ProcessCommandTests.curls(reps: 8)
    var lines = curls.split(separator: "\n", maxSplits: 1)
    lines[0] = Substring(
      lines[0].replacing("X", with: "_").replacing("Y", with: "X").replacing("_", with: "Y"))
    #expect(
      try confidence(knowing: curls)
        > confidence(knowing: lines.joined(separator: "\n")) + 0.0005)
  }

  private func patterns(_ options: [String] = []) throws -> [[String: Any]] {
    try ReptraceRun(["history", "patterns", store, "--output", "ndjson"] + options).objects()
  }

  @Test func relearningGivesTheSameResult() throws {
    try learnCurls()
    let before = try ReptraceRun(["history", "patterns", store, "--output", "csv"]).output
    #expect(try patterns().count == 1)
    let anew = try ReptraceRun(["history", "patterns", store, "--learn", "--output", "csv"])
    #expect(anew.output == before)
  }

  /// Without a user, all people's movements are used. An unreadable timeline must not affect other sets.
  @Test func damagedSetsDoNotAffectOthers() throws {
    try learnCurls()
    for reps in [7, 10] {
      let recording = try folder.writeCurls(reps: reps, to: "\(reps).csv")
      try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    }
    let other = try folder.writeCurls(reps: 9, to: "other.csv")
    try #require(
      try ReptraceRun([
        "process", other, "--store", store, "--exercise", "Curl", "--user", "bob",
      ]).status == 0)
    for (user, count) in [(nil, 2), ("bob", 1), ("*", 2)] {
      #expect(try patterns(user.map { ["--user", $0] } ?? []).count == count)
    }
    for command in ["list", "changes", "plans", "exercises"] {
      #expect(try ReptraceRun(["history", command, store, "--user", "*"]).status == 0)
    }
    try DatabaseQueue(path: store).write { db in
      try db.execute(
        sql: """
          UPDATE blob SET data = zeroblob(50) WHERE segmentId =
            (SELECT id FROM segment WHERE setId IS NOT NULL ORDER BY setId LIMIT 1 OFFSET 2)
          """)
    }
    let list = try ReptraceRun(["history", "list", store, "--candidates", "--output", "ndjson"])
    let unnamed = try list.objects().filter { $0["exerciseCandidate"] == nil }
    let id = try #require(unnamed.first?["id"] as? String)
    #expect(list.status == 1 && list.errors.contains("\(store)#\(id): "), "\(list.errors)")
    #expect(unnamed.map { $0["number"] as? Int } == [3], "\(list.output)")
  }

  @Test func peopleAreCaseInsensitive() throws {
    let recording = try folder.writeCurls(reps: 8, to: "curls.csv")
    let local = "00000000-0000-0000-0000-000000000001"
    for (learned, asked) in [("zoe", "ZOE"), (nil, local)] {
      let store = folder.path("\(asked).sqlite")
      let user = learned.map { ["--user", $0] } ?? []
      try #require(
        try ReptraceRun(["process", recording, "--store", store, "--exercise", "Curl"] + user)
          .status == 0)
      let unnamed = try folder.writeCurls(reps: 7, to: "unnamed.csv")
      let result = try ReptraceRun([
        "process", unnamed, "--store", store, "--user", asked, "--output", "ndjson",
      ])
      #expect(try candidate(result.objects().first)["name"] as? String == "Curl", "\(asked)")
    }
  }

  @Test func outputIsUnchangedWithoutKnownMovements() throws {
    let unnamed = try folder.writeCurls(reps: 7, to: "unnamed.csv")
    let alone = try ReptraceRun(["process", unnamed, "--output", "csv"]).output
    let stored = try ReptraceRun(["process", unnamed, "--store", store, "--output", "csv"]).output
    #expect(alone == stored)
    #expect(try patterns().isEmpty)
  }

  @Test func deletedSetsAreForgotten() throws {
    try learnCurls()
    #expect(try ReptraceRun(["history", "delete", store, "1"]).status == 0)
    #expect(try patterns().first?["sets"] as? Int == 1)
    let list = try listedSets(store)
    let id = try #require(list.first?["id"] as? String)
    #expect(try ReptraceRun(["history", "delete", store, id]).status == 0)
    #expect(try patterns().isEmpty)
  }

  @Test func streamsNameSets() throws {
    try learnCurls()
    let rows = ProcessCommandTests.curls(reps: 7).split(separator: "\n")
    let names = rows[0].split(separator: ",").map(String.init)
    let samples = rows.dropFirst().map { row in
      let members = zip(names, row.split(separator: ",")).map { name, value in
        "\"\(name)\":\(value)"
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    let chunks = stride(from: 0, to: samples.count, by: 100).map { start in
      let part = samples[start..<min(start + 100, samples.count)]
      return "{\"sessionId\":\"S\",\"setId\":\"X\",\"samples\":[" + part.joined(separator: ",")
        + "]}"
    }
    let run = try ReptraceRun(
      ["stream", "--store", store], input: Data((chunks.joined(separator: "\n") + "\n").utf8))
    let ended = try run.objects().first { $0["event"] as? String == "setEnded" }
    #expect(ended?["reps"] as? Int == 7)
    #expect(try candidate(ended)["name"] as? String == "Curl")
  }
}
