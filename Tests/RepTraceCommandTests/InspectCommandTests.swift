import Foundation
import Testing

/// Information about inputs: structure, irregularities, and quantities that can be estimated.
@Suite struct InspectCommandTests {
  private func fixture(_ name: String) -> String { PackageFolder.recording(name) }

  @Test func filesAndFoldersShowTheirRecordings() throws {
    let file = try ReptraceRun(["inspect", fixture("row-sensorlog.csv")])
    #expect(file.status == 0)
    #expect(file.output.hasPrefix("csv, "))
    #expect(file.output.contains("recording "))
    let folder = try ReptraceRun(["inspect", fixture("curl-watch-seconds1970")])
    #expect(folder.status == 0)
    #expect(folder.output.contains("late chunk"))
    #expect(folder.output.contains("exact duplicates dropped"))
  }

  @Test func standardInputIsInspectedLikeAFile() throws {
    let path = fixture("row-sensorlog.csv")
    let piped = try ReptraceRun(
      ["inspect", "-"], input: Data(contentsOf: URL(fileURLWithPath: path)))
    let file = try ReptraceRun(["inspect", path])
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(piped.output == file.output.replacing(path, with: "-"))
  }

  @Test func estimableQuantitiesAreListed() throws {
    let pair = try ReptraceRun(["inspect", fixture("")])
    let lines = pair.lines
    let index = try #require(lines.firstIndex { $0.contains("squat-metamotion") })
    #expect(
      lines[index...].prefix(3).contains {
        $0.contains("can be estimated: ") && $0.contains("gravityX")
      })
  }

  @Test func processReportsIrregularities() throws {
    let run = try ReptraceRun(["process", fixture("row-lost-chunks.ndjson"), "--output", "ndjson"])
    #expect(run.status == 0)
    #expect(run.errors.contains("note: "))
    #expect(run.errors.contains(" gap"))
    let strict = try ReptraceRun(["process", fixture("row-lost-chunks.ndjson"), "--strict"])
    #expect(strict.status == 0)
  }

  @Test func limitsCanBeSet() throws {
    let input = fixture("bench-chunks/chunk-00000.json")
    let refused = try ReptraceRun(["process", input, "--limit", "samples=10"])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("more than 10 samples"))
    let unknown = try ReptraceRun(["process", input, "--limit", "wishes=3"])
    #expect(unknown.status == 64)
  }

  @Test func derivedColumnsAreMarkedAndNotStored() throws {
    let folder = try ScratchFolder()
    let store = folder.path("s.sqlite")
    let input = fixture("pulldown-headerless")
    let stored = try ReptraceRun(["process", input, "--store", store, "--output", "ndjson"])
    #expect(stored.status == 0)
    let plain = try ReptraceRun(["history", "export", store, "--samples"])
    let derived = try ReptraceRun(["history", "export", store, "--samples", "--derived"])
    #expect(plain.lines.first?.contains("estimated") == false)
    #expect(derived.lines.first?.contains("gravityX_estimated") == true)
    #expect(derived.lines.first?.contains("roll_estimated") == true)
    #expect(plain.lines.count == derived.lines.count)
    let alone = try ReptraceRun(["history", "export", store, "--derived"])
    #expect(alone.status == 64)
  }
}
