import Testing

@testable import RepDetection
@testable import SignalProcessing

@Suite struct RepPosturesTests {
  @Test func repsThatLeadToTheSamePlaceReachTheFarEnd() {
    let postures = postures(of: [1.2, 1.3, 1.2, 1.1])
    for rep in 0..<4 { #expect(postures.turnaroundCosine(of: rep, among: [0, 1, 2, 3]) > 0.99) }
  }

  @Test func whatTurnsBackHalfwayMissesIt() {
    let cosine = postures(of: [1.2, 1.2, 1.2, 0.5]).turnaroundCosine(of: 3, among: [0, 1, 2, 3])
    #expect((cosine - Float(Math.cosine(0.7))).magnitude < 0.02)
  }

  @Test func whatLeadsElsewhereMissesItHoweverFar() {
    #expect(postures(of: [1.2, 1.2, 1.2, -1.2]).turnaroundCosine(of: 3, among: [0, 1, 2, 3]) < 0)
  }

  @Test func withoutFramesNothingIsNear() {
    let segmentation = Segmentation(
      framesPerStep: 1, segments: [Segment(start: 0, end: 40)], similarities: [1])
    #expect(RepPostures(of: segmentation, in: []).turnaroundCosine(of: 0, among: [0]) == 0)
  }

  /// Reps of 40 frames that lead from home by these angles, rad, and back.
  private func postures(of angles: [Double]) -> RepPostures {
    let frames = angles.flatMap { angle in
      (0..<40).map { frame -> MotionFrame in
        let turn = angle * (1 - Math.cosine(Double(frame) / 40 * 2 * .pi)) / 2
        let gravity = SIMD4(Float(Math.cosine(turn)), Float(Math.sine(turn)), 0, 0)
        return MotionFrame(gravity: gravity, rotation: .zero, userAcceleration: .zero)
      }
    }
    let segments = angles.indices.map {
      Segment(start: Double($0) * 40, end: Double($0 + 1) * 40)
    }
    let segmentation = Segmentation(
      framesPerStep: 1, segments: segments, similarities: angles.map { _ in 1 })
    return RepPostures(of: segmentation, in: frames[...])
  }
}
