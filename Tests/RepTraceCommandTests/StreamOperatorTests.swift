import Foundation
import Testing

/// Names, damage and shards: `stream` as used by operators.
@Suite struct StreamOperatorTests {
  private let scratch: ScratchFolder
  private let store: String

  init() throws {
    scratch = try ScratchFolder()
    store = scratch.path("gym.sqlite")
  }

  /// Returns the messages of a set in a session; a nil id declares no set.
  private static func messages(session: String, set: String?) throws -> [String] {
    let path = PackageFolder.recording("deadlift-ndjson.ndjson")
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
      var line = String($0).replacing(/"sessionId":"[^"]*"/, with: "\"sessionId\":\"\(session)\"")
      if let set {
        return line.replacing(/"setId":"[^"]*"/, with: "\"setId\":\"\(set)\"")
      }
      let control = /"type":"(startSet|endSet|updatePhase|phase_change_detected)"/
      guard line.contains("\"samples\"") || line.firstMatch(of: control) == nil else { return nil }
      line.replace(/"(setId|phase)":"[^"]*",/, with: "")
      return line
    }
  }

  @discardableResult
  private func stream(_ lines: [String], into store: String? = nil, _ arguments: String...) throws
    -> [[String: Any]]
  {
    let run = try ReptraceRun(
      ["stream", "--store", store ?? self.store] + arguments,
      input: Data(lines.map { $0 + "\n" }.joined().utf8))
    try #require(run.status == 0, "\(run.errors)")
    return try run.objects()
  }

  private func sets(_ store: String) throws -> [[String: Any]] { try listedSets(store) }

  private func correctedReps(_ key: String) throws -> Int? {
    let run = try ReptraceRun(["history", "show", store, key, "--output", "json"])
    try #require(run.status == 0, "\(key): \(run.errors)")
    let set = try run.objects().first?["set"] as? [String: Any]
    return set?["correctedReps"] as? Int
  }

  private static let aboutSets: Set = [
    "setStarted", "rep", "repCorrected", "partialRep", "setEnded", "setRevised", "setCancelled",
  ]

  @Test(
    arguments: [
      ("gym/1 100%", "bench", "gym%2F1 100%25/bench"), ("s", nil, "s/found-1"),
    ] as [(String, String?, String)])
  func eventKeysIdentifySetsInTheHistory(session: String, set: String?, key: String) throws {
    let start =
      "{\"type\":\"startWorkout\",\"sessionId\":\"\(session)\",\"userId\":\"anna\",\"timestamp\":1.7e9}"
    let messages = try Self.messages(session: session, set: set).filter {
      !$0.contains("\"type\":\"startWorkout\"")
    }
    let events = try stream([start] + messages).filter {
      Self.aboutSets.contains($0["event"] as? String ?? "")
    }
    #expect(events.count > 3)
    #expect(
      events.allSatisfy { $0["setKey"] as? String == key && $0["userId"] as? String == "anna" })
    #expect(try correctedReps(key) == nil)
    // The set is given by its key alone, and by its id in its session.
    let answers = try stream([
      "{\"type\":\"correctSet\",\"setId\":\"\(key)\",\"reps\":7}",
      "{\"type\":\"correctSet\",\"sessionId\":\"\(session)\",\"setId\":\"\(key)\",\"reps\":8}",
    ])
    #expect(answers.map { $0["event"] as? String } == ["ack", "ack"])
    #expect(try correctedReps(key) == 8)
    let id = key.split(separator: "/").last ?? ""
    try stream([
      "{\"type\":\"correctSet\",\"sessionId\":\"\(session)\",\"setId\":\"\(id)\",\"reps\":9}"
    ])
    #expect(try correctedReps(key) == 9)
  }

  @Test func detectedSetsCanBeCorrectedInAnOpenSession() throws {
    let messages = try Self.messages(session: "s", set: nil)
    let end = try #require(messages.lastIndex { $0.contains("\"type\":\"endWorkout\"") })
    let correction = "{\"type\":\"correctSet\",\"setId\":\"s/found-1\",\"reps\":3}"
    let events = try stream(messages[..<end] + [correction] + messages[end...])
    #expect(!events.contains { ["warning", "error"].contains($0["event"] as? String ?? "") })
    #expect(try correctedReps("s/found-1") == 3)
  }

  @Test func correctionsOfUnknownSetsAreRefused() throws {
    try stream(Self.messages(session: "s", set: nil))
    for id in ["nope", "s/nope", "s/found-2", "s/set-1", "t/found-1"] {
      let answers = try stream(["{\"type\":\"correctSet\",\"setId\":\"\(id)\",\"reps\":3}"])
      #expect(answers.map { $0["kind"] as? String } == ["unknownSet"], "\(id): \(answers)")
    }
    #expect(try sets(store).count == 1)
  }

  @Test func damagedStoresAreRefusedUnlessAccepted() throws {
    try stream(Self.messages(session: "session-of-anna", set: "a"))
    var file = try Data(contentsOf: URL(fileURLWithPath: store))
    // Change every row and index that contains the name.
    while let name = file.range(of: Data("session-of-anna".utf8)) { file[name.lowerBound] ^= 1 }
    try file.write(to: URL(fileURLWithPath: store))
    let messages = try Self.messages(session: "other", set: "b")
    let input = Data(messages.map { $0 + "\n" }.joined().utf8)
    let refused = try ReptraceRun(["stream", "--store", store], input: input)
    #expect(refused.status == 73 && refused.output.isEmpty)
    #expect(refused.errors.contains("gym.sqlite"))
    let accepted = try ReptraceRun(["stream", "--store", store, "--accept-damage"], input: input)
    #expect(accepted.status == 0 && accepted.output.contains("\"setEnded\""), "\(accepted.errors)")
  }

  /// The procedure of docs/service.md: sessions stay on their shard, and a removed shard is merged.
  @Test func shardsAreSplitAndJoinedWithoutLosingSets() throws {
    let (second, whole) = (scratch.path("2.sqlite"), scratch.path("whole.sqlite"))
    let old = try ["a", nil].enumerated().map { try Self.messages(session: "old-\($0)", set: $1) }
    let new = try ["a", nil].enumerated().map { try Self.messages(session: "new-\($0)", set: $1) }
    func person(_ lines: [String], _ number: Int) -> [String] {
      lines.map {
        $0.replacing(
          "{\"type\":\"startWorkout\",",
          with: "{\"type\":\"startWorkout\",\"userId\":\"p\(number)\",")
      }
    }
    let everything = (old + new).enumerated().map { person($1, $0) }
    // A late chunk of a set that the removed shard had received.
    let late = try #require(everything[2].last { $0.contains("\"samples\"") })
    let middle = everything[0].count / 2
    try stream(Array(everything[0][..<middle] + everything[1][..<middle]))
    try stream(everything[2].filter { $0 != late } + everything[3], into: second)
    try stream(Array(everything[0][middle...] + everything[1][middle...]))
    let merge = try ReptraceRun(["merge", "--everybody", store, second])
    #expect(merge.status == 0, "\(merge.errors)")
    try stream([late])
    try stream(everything.flatMap { $0 }, into: whole)
    func summary(_ store: String) throws -> [String] {
      try sets(store).map { set in
        ["sessionId", "reps", "confidence", "samples", "clockStart", "user"].map {
          "\(set[$0] ?? "")"
        }
        .joined(separator: " ")
      }.sorted()
    }
    #expect(try summary(store) == summary(whole))
    #expect(try summary(store).count == 4)
  }
}
