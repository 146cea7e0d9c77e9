import Testing

@testable import RepDetection
@testable import TemplateSearch

/// The fraction of a rep's motion in a part of its duration.
struct MotionProfileTests {
  /// Reps of forty frames: the wrist turns in the first half of each and rests in the second.
  private let turned = (0...200).map { (frame: Int) -> Float in
    Float(frame / 40 * 20 + min(frame % 40, 20))
  }

  @Test func restContributesNoMotion() {
    let reps = [Segment(start: 0, end: 40), Segment(start: 40, end: 80)]
    let profile = MotionProfile(of: reps, turned: turned)
    for rep in reps {
      #expect(profile.fraction(from: rep.start, to: rep.end, of: rep) > 1 - 1e-6)
      #expect(abs(profile.fraction(from: rep.start + 10, to: rep.end, of: rep) - 0.5) < 1e-6)
      #expect(profile.fraction(from: rep.start + 20, to: rep.end, of: rep) < 1e-6)
      #expect(profile.fraction(from: rep.start - 9, to: rep.start + 20, of: rep) > 1 - 1e-6)
      #expect(profile.fraction(from: rep.end, to: rep.start, of: rep) == 0)
    }
  }

  @Test func repWithoutTurningProgressesEvenly() {
    let rep = Segment(start: 0, end: 40)
    let profile = MotionProfile(of: [rep], turned: Array(repeating: 3, count: 201))
    #expect(abs(profile.fraction(from: 0, to: 10, of: rep) - 0.25) < 1e-6)
    #expect(profile.fraction(from: 0, to: 40, of: rep) > 1 - 1e-6)
  }

  /// Even for a rep that lies beyond all frames, the fraction is between 0 and 1.
  @Test(arguments: [-500.0, -20, 190, 500])
  func fractionIsBoundedForRepsBeyondTheFrames(start: Double) {
    let rep = Segment(start: start, end: start + 40)
    let profile = MotionProfile(of: [rep], turned: turned)
    #expect((0...1).contains(profile.fraction(from: 0, to: 200, of: rep)))
  }
}
