/// The rule of simple rep counters for phones and watches, implemented from its description. The signal of
/// one axis is smoothed, and a rep is counted when it rises above its mean plus 1.5 standard deviations, at
/// least half a second after the last rep.
struct PlainThresholdCounter {
  private(set) var count = 0
  private var smoothing: [Double] = []
  private var recent: [Double] = []
  private var sum = 0.0
  private var sumOfSquares = 0.0
  private var next = 0
  private var isAbove = false
  private var lastTime = -Double.infinity

  private static let smoothedSamples = 5
  private static let rememberedSamples = 250

  mutating func append(_ value: Double, at time: Double) {
    guard value.isFinite else { return }
    if smoothing.count == Self.smoothedSamples { smoothing.removeFirst() }
    smoothing.append(value)
    let smooth = smoothing.reduce(0, +) / Double(smoothing.count)
    if recent.count < Self.rememberedSamples {
      recent.append(smooth)
    } else {
      sum -= recent[next]
      sumOfSquares -= recent[next] * recent[next]
      recent[next] = smooth
      next = (next + 1) % Self.rememberedSamples
    }
    sum += smooth
    sumOfSquares += smooth * smooth
    let mean = sum / Double(recent.count)
    let deviation = max(0, sumOfSquares / Double(recent.count) - mean * mean).squareRoot()
    let above = smooth > mean + 1.5 * deviation
    if above, !isAbove, time - lastTime >= 0.5 {
      count += 1
      lastTime = time
    }
    isAbove = above
  }
}
