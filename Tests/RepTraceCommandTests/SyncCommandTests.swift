import Foundation
import Testing

/// `Tests/PostgreSQLSyncTests` tests synchronization with a server.
@Suite struct SyncCommandTests {
  @Test func historyAndAddressAreRequired() throws {
    let run = try ReptraceRun(["sync", "history.sqlite"])
    #expect(run.status == 64 && run.errors.contains("Expected a history and an address"))
  }

  #if !PostgreSQL
    @Test func buildsWithoutPostgreSQLExplainHowToGetIt() throws {
      let folder = try ScratchFolder()
      let store = folder.path("history.sqlite")
      let run = try ReptraceRun(["sync", store, "postgresql://localhost/history"])
      #expect(run.status == 69 && run.errors.contains("REPTRACE_TRAITS=default,PostgreSQL"))
      #expect(!FileManager.default.fileExists(atPath: store))
    }
  #endif
}
