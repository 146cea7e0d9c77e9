import Foundation
import MotionSynthesis
import Testing

/// Merging two histories of one person.
@Suite struct MergeCommandTests {
  private let folder: ScratchFolder
  private let store: String
  private let other: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.path("history.sqlite")
    other = folder.path("other.sqlite")
    try process(reps: 6, into: store)
  }

  private func process(reps: Int, into store: String) throws {
    let recording = try folder.writeCurls(reps: reps, to: "curls-\(reps).csv")
    try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
  }

  private func merge(_ arguments: String...) throws -> ReptraceRun {
    try ReptraceRun(["merge", store, other] + arguments)
  }

  @discardableResult
  private func history(_ command: String, _ store: String, _ arguments: String...) throws
    -> ReptraceRun
  {
    let run = try ReptraceRun(["history", command, store] + arguments)
    try #require(run.status == 0, "\(run.errors)")
    return run
  }

  /// Returns corrected counts by recording; -1 without a correction.
  private func corrections(_ store: String) throws -> [String: Int] {
    let sets = try history("list", store, "--output", "ndjson").objects()
    return Dictionary(
      sets.map { ($0["recording"] as? String ?? "", $0["correctedReps"] as? Int ?? -1) },
      uniquingKeysWith: { $1 })
  }

  @Test func mergingAddsTheOtherHistory() throws {
    try process(reps: 8, into: other)
    let before = try Data(contentsOf: URL(fileURLWithPath: other))
    let temporary = folder.url.appendingPathComponent("temporary")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
    let run = try ReptraceRun(
      ["merge", store, other], shell: "TMPDIR='\(temporary.path)' \"$0\" \"$@\"")
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.objects().first)
    #expect((report["received"] as? Int ?? 0) > 3 && report["sent"] as? Int == 0)
    #expect(try corrections(store) == ["curls-6.csv": -1, "curls-8.csv": -1])
    #expect(
      try history("export", store, "curls-8.csv", "--samples", "--output", "csv").output
        == history("export", other, "--samples", "--output", "csv").output)
    #expect(try history("verify", store).output.contains("no damage found"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    // Merge again, in both directions.
    let again = try #require(try merge().objects().first)
    #expect(again["received"] as? Int == 0 && again["receivedBytes"] as? Int == 0)
    #expect(try ReptraceRun(["merge", other, store]).status == 0)
    #expect(try corrections(other) == corrections(store))
  }

  /// This also holds if one file is a copy of the other, and both were used since.
  @Test func theLaterCorrectionWins() throws {
    try process(reps: 8, into: store)
    try process(reps: 7, into: store)
    try FileManager.default.copyItem(atPath: store, toPath: other)
    try history("correct", store, "1", "--reps", "11")
    try history("correct", other, "1", "--reps", "12")
    try history("correct", other, "2", "--reps", "13")
    try history("correct", store, "2", "--reps", "14")
    try history("correct", store, "3", "--reps", "15")
    try process(reps: 5, into: other)
    let sets = try history("list", store, "--output", "ndjson").objects()
    let names = sets.compactMap { $0["recording"] as? String }
    #expect(try merge().status == 0)
    #expect(
      try corrections(store)
        == [names[0]: 12, names[1]: 14, names[2]: 15, "curls-5.csv": -1])
    #expect(try ReptraceRun(["merge", other, store]).status == 0)
    #expect(try corrections(other) == corrections(store))
  }

  @Test func deletionsInEitherHistoryAreKept() throws {
    try process(reps: 8, into: store)
    try FileManager.default.copyItem(atPath: store, toPath: other)
    try history("delete", store, "1")
    try history("delete", other, "2")
    #expect(try merge().status == 0)
    #expect(try corrections(store).isEmpty)
  }

  @Test func peopleAreMergedSeparately() throws {
    try history("rehearse", store, "--workouts", "1", "--prefix", "R")
    try history("rehearse", other, "--workouts", "2", "--prefix", "R")
    let local = try merge()
    #expect(local.status == 0 && local.errors.contains("1 more person"))
    #expect(try history("workouts", store, "--user", "R", "--count").output == "1\n")
    #expect(try merge("--user", "R").status == 0)
    #expect(try history("workouts", store, "--user", "R", "--count").output == "2\n")
    #expect(try merge("--user", "nobody").status == 66)
  }

  @Test func invalidHistoriesAreRefused() throws {
    let before = try corrections(store)
    #expect(try merge().status == 66)
    #expect(try ReptraceRun(["merge", other, store]).status == 66)
    #expect(!FileManager.default.fileExists(atPath: other))
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: store)
    #expect(try merge().status == 64)
    try FileManager.default.removeItem(atPath: other)
    try folder.write("not a database", to: "other.sqlite")
    #expect(try merge().status == 65)
    #expect(try corrections(store) == before)
  }

  /// A damaged history is reported and refused, unless the damage is harmless.
  @Test func damagedHistoriesAreRefused() throws {
    try process(reps: 8, into: other)
    let intact = try Data(contentsOf: URL(fileURLWithPath: other))
    let (before, expected) = (try corrections(store), ["curls-6.csv": -1, "curls-8.csv": -1])
    let copy = try Data(contentsOf: URL(fileURLWithPath: store))
    var generator = RandomSource(seed: 64)
    var refused = 0
    for number in 0..<24 {
      var damaged = intact
      for _ in 0..<8 {
        damaged[Int(generator.next() % UInt64(damaged.count))] ^= 1 << UInt8(generator.next() % 8)
      }
      if number == 0 { damaged = intact.prefix(intact.count / 2) }
      try damaged.write(to: URL(fileURLWithPath: other))
      let run = try merge()
      if run.status == 0 {
        #expect(try corrections(store) == expected, "\(number)")
        try copy.write(to: URL(fileURLWithPath: store))
      } else {
        refused += 1
        #expect(run.status == 65 && run.errors.contains(other), "\(number): \(run.errors)")
        #expect(try corrections(store) == before, "\(number)")
      }
    }
    #expect(refused > 12)
  }
}
