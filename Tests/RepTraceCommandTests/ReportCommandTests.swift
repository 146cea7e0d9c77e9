import Testing

@testable import RepTraceCommand

@Suite struct ReportCommandTests {
  @Test func commonFolderIsLeftOutOfNames() {
    #expect(ReportCommand.commonFolder(of: ["a/b/x.csv", "a/b/y.csv", "a/b/c/z.csv"]) == 4)
    #expect(ReportCommand.commonFolder(of: ["a/b/x.csv"]) == 0)
    #expect(ReportCommand.commonFolder(of: ["a.csv", "b.csv"]) == 0)
    #expect(ReportCommand.commonFolder(of: ["é/x", "é/y", "é/x"]) == 2)
    #expect(ReportCommand.commonFolder(of: []) == 0)
  }
}
