import Foundation
import Testing

@testable import HistoryStorage
@testable import RepTraceCommand
@testable import TimelineFormat
@testable import WorkoutHistory

@Suite struct VersionCommandTests {
  @Test func printsOnlyTheVersionLikeTheOption() throws {
    let option = try ReptraceRun(["--version"])
    let command = try ReptraceRun(["version"])
    #expect(command.status == 0)
    #expect(command.output == option.output)
    #expect(command.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test func verboseNamesTheBuildAndTheFormats() throws {
    let run = try ReptraceRun(["version", "--verbose"])
    let facts = run.lines.dropFirst().map { $0.components(separatedBy: ": ") }
    #expect(
      facts.map(\.first) == [
        "commit", "Swift", "timeline format", "store schema", "frame format",
      ])
    #expect(facts.allSatisfy { $0.count == 2 && !$0[1].isEmpty })
  }

  /// Guards against raising the version in one place only.
  @Test func schemaVersionIsTheLastMigrationsNumber() throws {
    let last = try #require(HistoryMigrations.steps.last)
    #expect(last.name == "v\(HistoryStore.schemaVersion)")
  }
}
