import Testing

@testable import RepTrace

@Suite struct TimelineProvenanceTests {
  @Test func theStandardNeedsNoSettings() {
    let provenance = TimelineProvenance.ofThisBuild()
    #expect(provenance.writer == "reptrace \(RepTrace.version)")
    #expect(provenance.settings.isEmpty)
    #expect(StreamOptions().provenance == provenance)
  }

  @Test func whatDiffersIsNamed() {
    var detector = DetectorConfiguration()
    detector.frontEndCornerHz = 4
    detector.hints.targetReps = 12
    detector.hints.isAlternating = true
    var options = StreamOptions()
    options.detector = detector
    #expect(
      options.provenance.settings == [
        "frontEndCornerHz": "4.0", "hints.targetReps": "12", "hints.isAlternating": "true",
      ])
  }
}
