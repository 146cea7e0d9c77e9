import Foundation
import HistorySync
import RecordingPipeline
import TestSupport
import Testing
import TimelineFormat
import WorkoutHistory

/// The app's Core Data file, with JSON sensor data in the rows of sets. `fixtures/make-legacy-app` writes
/// `fixtures/golden/legacy-app.sqlite`.
@Suite struct LegacyImporterTests {
  @Test func importsTheAppsHistory() throws {
    let folder = try TemporaryFolder()
    let path = goldenFolder.appendingPathComponent("legacy-app.sqlite").path
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let legacy = try LegacyHistory(path: path)
    #expect(legacy.workouts.count == 2)
    let store = try HistoryStore(path: folder.path("history.sqlite"), mode: .create)
    let importer = LegacyImporter(provenance: TimelineProvenance(writer: "t", detector: "t 1"))
    let report = try importer.importHistory(legacy, into: store)
    #expect(report.workoutCount == 2 && report.setCount == 4)
    #expect(report.warnings.count == 1, "\(report.warnings)")

    let workouts = try store.workouts.page()
    #expect(workouts.map(\.date?.timeIntervalSince1970) == [1_735_776_000, 1_735_689_600])
    let first = try #require(workouts.last)
    #expect(first.key == "11111111-1111-4111-8111-111111111111")
    let exercises = try store.workouts.exercises(ofWorkout: first.id)
    #expect(exercises.map(\.name) == ["Rosca Direta", "Prancha"])
    let sets = exercises[0].sets
    #expect(sets.map(\.order) == [0, 1] && sets.map(\.weight) == [12.5, 12.5])
    #expect(sets.map(\.targetReps) == [10, 10])
    #expect(
      sets[0].startTime == Date(timeIntervalSince1970: 1_735_689_660)
        && sets[0].endTime == Date(timeIntervalSince1970: 1_735_689_690))
    // The app's invented 10 is not a correction; 7, which differs from it, is.
    #expect(sets.map(\.correctedReps) == [nil, 7])
    #expect(sets[0].detectedReps != nil)
    let samples = try store.timeline(ofSet: sets[0].id).samples
    #expect(samples.count == 300)
    #expect(samples[.rotationRateX][25] == 0.5)
    #expect(try store.health(ofSet: sets[0].id).map(\.heartRateBPM) == [101, 102, 103])
    #expect(try store.health(ofSet: sets[0].id).map(\.unixTime).first == 1_735_689_662)
    // A set without sensor data and one with damaged data are imported nevertheless.
    #expect(exercises[1].sets.map(\.reps) == [1])
    let second = try #require(workouts.first)
    let other = try store.workouts.exercises(ofWorkout: second.id)[0].sets
    #expect(other.map(\.reps) == [9] && other[0].sampleCount == 0)
    #expect(try store.workouts.allInProgress().isEmpty)
    #expect(try store.verify().isIntact)

    // Importing again changes nothing.
    let changes = try store.sync.changes()
    _ = try importer.importHistory(legacy, into: store)
    #expect(try store.sync.changes() == changes)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == original)
  }

  @Test func otherFilesAreRejected() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("history.sqlite")
    try HistoryStore(path: path, mode: .create).close()
    #expect(throws: HistoryError.notAHistory(path: path)) { try LegacyHistory(path: path) }
    for name in ["timeline-v1.blob", "none.sqlite"] {
      #expect(throws: HistoryError.self) {
        try LegacyHistory(path: goldenFolder.appendingPathComponent(name).path)
      }
    }
  }
}
