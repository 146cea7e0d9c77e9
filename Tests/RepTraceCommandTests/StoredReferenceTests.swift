import Foundation
import TestSupport
import Testing

@testable import RepTraceCommand

/// Every id that is printed for a set can be used to refer to it.
@Suite struct StoredReferenceTests {
  private let key = "58f2ba160328aa00bb11cc22dd33ee44ff5566778899aabbccddeeff00112233-1"

  @Test(arguments: [
    "58f2ba160328…-1", "58f2", "58f2ba16-1", "58F2-1", "58F2BA16", "58f2ba160328...-1", "…112233-1",
    "58f2…cc22…-1",
    "58f2ba160328aa00bb11cc22dd33ee44ff5566778899aabbccddeeff00112233-1",
  ])
  func namesTheKey(_ text: String) { #expect(StoredReference(text).couldAbbreviate(key)) }

  @Test(arguments: ["", "5", "58f", "…", "58f2…-2", "58f2ba16-2", "58-1", "58", "1", "f2ba160328"])
  func otherTextsDoNotMatch(_ text: String) { #expect(!StoredReference(text).couldAbbreviate(key)) }

  @Test func formulaApostrophesAreRemoved() {
    #expect(StoredReference("'=a-b").text == "=a-b")
  }

  @Test func printedIdsAreAccepted() throws {
    let folder = try ScratchFolder()
    let store = folder.path("h.sqlite")
    for reps in [5, 7] {
      let path = try folder.writeCurls(reps: reps, to: "curls\(reps).csv")
      try #require(try ReptraceRun(["process", path, "--store", store]).status == 0)
    }
    let csv = try ReptraceRun(["history", "list", store, "--output", "csv"]).lines
    let column = try #require(csv[0].split(separator: ",").firstIndex(of: "set"))
    let keys = csv.dropFirst().map {
      String($0.split(separator: ",", omittingEmptySubsequences: false)[column])
    }
    #expect(keys.allSatisfy { $0.count > 64 })
    let table = try ReptraceRun(["history", "list", store, "--output", "table"]).lines
    let shown = table.dropFirst(2).map { String($0.split(separator: " ")[0]) }
    #expect(shown.allSatisfy { $0.count == 10 && $0.hasSuffix("-1") }, "\(table)")
    for (index, key) in keys.enumerated() {
      for reference in [key, shown[index], String(key.prefix(8)), "\(index + 1)"] {
        let run = try ReptraceRun(["history", "show", store, reference, "--output", "json"])
        #expect(run.status == 0)
        let set = try #require(try run.objects().first?["set"] as? [String: Any])
        #expect(set["set"] as? String == key)
        let export = try ReptraceRun(["history", "export", store, reference]).lines
        #expect(export.count == 2 && export[1].contains(key))
      }
    }
    #expect(try ReptraceRun(["history", "show", store, "absent"]).status == 66)
  }

  @Test(.enabled(if: hasNumPy, "needs python3 with numpy")) func pythonReaderResolvesTheIds() throws
  {
    let folder = try ScratchFolder()
    let store = folder.path("h.sqlite")
    let path = try folder.writeCurls(reps: 5, to: "curls.csv")
    try #require(try ReptraceRun(["process", path, "--store", store]).status == 0)
    let table = try ReptraceRun(["history", "list", store, "--output", "table"]).lines
    let shown = table[2].split(separator: " ")[0]
    let key = try #require(
      try listedSets(store)[0]["set"]
        as? String)
    let said = try [String(shown), key].map {
      try run("python3", [PackageFolder.path("tools/reptrace_timeline.py"), store, "--set", $0])
    }
    #expect(said.allSatisfy { $0.status == 0 && !$0.output.isEmpty }, "\(said)")
    #expect(said[0].output == said[1].output)
  }
}
