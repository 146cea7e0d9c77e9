import Foundation
import GRDB
import Motion
import Testing

@testable import TimelineFormat

/// Damage in a stored timeline is reported and isolated, and the recoverable part is listed.
@Suite struct DamagedTimelineTests {
  private let folder: ScratchFolder
  private let store: String

  /// Creates a store with two recordings: a set of six reps and one of seven.
  init() throws {
    folder = try ScratchFolder()
    store = folder.path("history.sqlite")
    for name in ["a.csv", "b.csv"] {
      let text = ProcessCommandTests.curls(reps: name == "a.csv" ? 6 : 7)
      let recording = try folder.write(text, to: name)
      try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    }
  }

  private func changeFirstSet(_ change: (inout [UInt8]) throws -> Void) throws {
    try alter(segment: "g.setId = (SELECT min(id) FROM workout_set)", change)
  }

  private func alter(segment: String, _ change: (inout [UInt8]) throws -> Void) throws {
    try DatabaseQueue(path: store).write { db in
      let row = try #require(
        try Row.fetchOne(
          db,
          sql: """
            SELECT b.segmentId, b.data FROM blob b
            JOIN segment g ON g.id = b.segmentId
            WHERE \(segment)
            """))
      var bytes = [UInt8](row["data"] as Data)
      try change(&bytes)
      try db.execute(
        sql: "UPDATE blob SET data = ? WHERE segmentId = ?",
        arguments: [Data(bytes), row["segmentId"] as Int64])
    }
  }

  @Test func damagedSamplesAreReported() throws {
    try changeFirstSet { bytes in
      let samples = try #require(try TimelineBlob(bytes).inspect().sections.first)
      bytes[samples.offset + samples.byteCount / 2] ^= 4
    }
    let verify = try ReptraceRun(["history", "verify", store])
    #expect(verify.status == 1)
    #expect(verify.lines.count == 2)
    #expect(verify.lines.first?.contains("0 samples can be recovered") == true)
    #expect(verify.lines.first?.hasPrefix("set ") == true)
    #expect(verify.output.contains("1 problem"))
    let inspect = try ReptraceRun(["inspect", "\(store)#1"])
    #expect(inspect.status == 1)
    #expect(inspect.output.contains("can be recovered: 0 samples, "))
    #expect(inspect.output.contains("a set of 6 reps"))
    #expect(try ReptraceRun(["inspect", "\(store)#2"]).status == 0)
    #expect(try ReptraceRun(["history", "show", store, "2"]).status == 0)
    let show = try ReptraceRun(["history", "show", store, "1"])
    #expect(show.status == 65 && show.errors.contains("\(store) (set 1) is damaged: "))
  }

  @Test func damagedRecordingsDoNotPreventExport() throws {
    func export(_ arguments: String...) throws -> ReptraceRun {
      try ReptraceRun(["history", "export", store, "--samples"] + arguments)
    }
    let intact = try export("b.csv")
    #expect(intact.status == 0)
    try changeFirstSet { $0.removeLast($0.count - 9) }
    let csv = try export()
    #expect(csv.status == 1)
    #expect(csv.errors.contains("\(store) (recording a.csv) is damaged: "), "\(csv.errors)")
    #expect(csv.lines.count == intact.lines.count)
    let json = try export("--output", "json")
    #expect(json.status == 1)
    let rows = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [Any]
    #expect(rows?.count == intact.lines.count - 1)
    for reference in ["a.csv", "1"] {
      let alone = try export(reference, "--output", "json")
      #expect(alone.status == 65 && alone.output.isEmpty)
      #expect(alone.errors.contains(" is damaged: "))
    }
  }

  /// A detected set is not recounted without the rest around it.
  @Test func damagedRestPreventsRecountingDetectedSets() throws {
    let before = try ReptraceRun(["history", "list", store]).output
    try alter(segment: "g.setId IS NULL ORDER BY g.id LIMIT 1") { bytes in
      let samples = try #require(try TimelineBlob(bytes).inspect().sections.first)
      bytes[samples.offset + samples.byteCount / 2] ^= 4
    }
    let verify = try ReptraceRun(["history", "verify", store])
    #expect(verify.lines.first?.hasPrefix("recording ") == true, "\(verify.output)")
    let run = try ReptraceRun(["history", "recount", store])
    #expect(run.status == 1)
    #expect(run.errors.contains("its recording: the checksum"))
    #expect(try ReptraceRun(["history", "list", store]).output == before)
  }

  /// A set with the wrong number of samples is reported; the others are counted and learned from.
  @Test func timelinesOfTheWrongLengthAreReported() throws {
    try DatabaseQueue(path: store).write { db in
      try db.execute(
        sql: """
          UPDATE workout_exercise SET name = 'Curl', checksum = NULL;
          UPDATE segment SET sampleCount = sampleCount + 1, checksum = NULL
            WHERE setId = (SELECT min(id) FROM workout_set)
          """)
    }
    let recount = try ReptraceRun(["history", "recount", store])
    #expect(recount.status == 1 && recount.errors.contains("1 set counted"))
    #expect(recount.errors.contains("\(store): set ") && recount.errors.contains(" samples in a "))
    let correct = try ReptraceRun(["history", "correct", store, "1", "--reps", "6"])
    #expect(correct.status == 0, "\(correct.errors)")
    let recording = try folder.writeCurls(reps: 8, to: "c.csv")
    let process = try ReptraceRun(["process", recording, "--store", store, "--quiet"])
    #expect(process.status == 0, "\(process.errors)")
  }

  @Test func setsWithLostSamplesCanBeCorrected() throws {
    try changeFirstSet { $0.removeLast($0.count - 9) }
    let correct = try ReptraceRun(
      ["history", "correct", store, "1", "--reps", "5", "--exercise", "Curl"])
    #expect(correct.status == 0, "\(correct.errors)")
    let row = try #require(try listedSets(store).first)
    #expect(row["correctedReps"] as? Int == 5 && row["exerciseName"] as? String == "Curl")
  }

  /// The set is like a corrected set that is no longer detected: the correction is shown.
  @Test func setsWithoutSamplesAreShown() throws {
    try DatabaseQueue(path: store).write { db in
      try db.execute(
        sql: """
          UPDATE segment SET setId = NULL, checksum = NULL WHERE setId = (SELECT min(id) FROM workout_set);
          UPDATE workout_set SET correctedReps = 5, position = NULL, checksum = NULL
            WHERE id = (SELECT min(id) FROM workout_set)
          """)
    }
    let show = try ReptraceRun(["history", "show", store, "1", "--output", "table"])
    #expect(show.status == 0 && show.output.contains("5 (a person's word)"), "\(show.errors)")
  }

  /// The page shows the other sets and names the unreadable one.
  @Test func damagedSetsDoNotPreventAReport() throws {
    try changeFirstSet { $0.removeLast($0.count - 9) }
    let page = store + ".html"
    defer { try? FileManager.default.removeItem(atPath: page) }
    let run = try ReptraceRun(["report", store, "-o", page])
    #expect(run.status == 1)
    #expect(run.errors.contains("\(store)#") && run.errors.contains("-1: "), "\(run.errors)")
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("More about this set"))
  }

  @Test func damagedHeadersAreReported() throws {
    try changeFirstSet { $0[18] ^= 1 }
    let verify = try ReptraceRun(["history", "verify", store])
    #expect(verify.status == 1)
    #expect(verify.lines.first?.contains(", 0 are lost") == true)
    let inspect = try ReptraceRun(["inspect", "\(store)#1"])
    #expect(inspect.status == 1)
    #expect(inspect.output.contains("damage: the checksum of the timeline's header"))
    #expect(inspect.output.contains("a set of 6 reps"))
  }

  @Test func truncatedTimelinesAreReported() throws {
    try changeFirstSet { $0.removeLast($0.count - 9) }
    let verify = try ReptraceRun(["history", "verify", store])
    #expect(verify.status == 1 && verify.output.contains("0 samples can be recovered"))
    let inspect = try ReptraceRun(["inspect", "\(store)#1"])
    #expect(inspect.status == 1 && inspect.output.contains("can be recovered: 0 samples"))
  }

  /// The blobs claim 2⁴⁰ samples and are decoded with less than a gigabyte of address space.
  @Test(arguments: [TimelineSectionType.samples, .health, .movementCurve])
  func oversizedClaimsAllocateNoMemory(type: TimelineSectionType) throws {
    var payload = ByteWriter()
    payload.varint(1 << 40)
    if type == .samples { payload.append([0, 0, 0, 0, 0x80, 0x80, 0x04, 1, 0, 0]) }
    payload.append([UInt8](repeating: 0, count: 1000))
    let blob = try TimelineContainer.serialize([
      TimelineSection(type: type, payload: payload.bytes)
    ])
    try changeFirstSet { $0 = blob }
    let run = try ReptraceRun(
      ["history", "verify", store], shell: #"ulimit -v 1000000; exec "$0" "$@""#)
    // The damage is reported; a trap or a kill would have another status.
    #expect(run.status == 1)
  }
}
