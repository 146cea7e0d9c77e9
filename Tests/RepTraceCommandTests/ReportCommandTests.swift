import Testing

@testable import RepTraceCommand

@Suite struct ReportCommandTests {
  @Test func commonFolderIsLeftOutOfNames() {
    #expect(TextTable.commonFolder(of: ["a/b/x.csv", "a/b/y.csv", "a/b/c/z.csv"]).count == 4)
    #expect(TextTable.commonFolder(of: ["a/b/x.csv"]).count == 0)
    #expect(TextTable.commonFolder(of: ["a.csv", "b.csv"]).count == 0)
    #expect(TextTable.commonFolder(of: ["é/x", "é/y", "é/x"]).count == 2)
    #expect(TextTable.commonFolder(of: []).count == 0)
  }
}
