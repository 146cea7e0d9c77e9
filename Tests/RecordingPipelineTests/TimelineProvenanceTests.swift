import RepDetection
import Testing
import TimelineFormat

@testable import RecordingPipeline

@Suite struct TimelineProvenanceTests {
  @Test func defaultsAreOmitted() {
    let provenance = TimelineProvenance.ofThisBuild()
    #expect(provenance.writer == "reptrace \(libraryVersion)")
    #expect(provenance.settings.isEmpty)
  }

  @Test func changedSettingsAreListed() {
    var detector = DetectorConfiguration()
    detector.frontEnd.cornerHz = 4
    detector.hints.targetReps = 12
    detector.hints.isAlternating = true
    #expect(
      TimelineProvenance.ofThisBuild(detector: detector).settings == [
        "frontEnd.cornerHz": "4.0", "hints.targetReps": "12", "hints.isAlternating": "true",
      ])
  }
}
