import HistorySync
import MotionSynthesis
import Testing

@Suite struct BackoffTests {
  @Test(arguments: [-1, Double.nan])
  func invalidSettingMeansNoDelay(_ seconds: Double) {
    var generator = RandomSource(seed: 1)
    let withoutFirst = Backoff(first: seconds).delay(after: 3, using: &generator)
    #expect(withoutFirst == 0)
    let withoutLongest = Backoff(first: 0.2, longest: seconds)
      .delay(after: 3, using: &generator)
    #expect((0...0.2).contains(withoutLongest))
  }
}
