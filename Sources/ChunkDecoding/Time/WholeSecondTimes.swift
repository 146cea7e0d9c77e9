/// Rebuilds times from timestamps truncated to whole seconds, as in ISO 8601 text.
///
/// The samples are in order; those of a second share its timestamp. A run is a series of adjacent seconds
/// with one rate. Within a run:
///
/// 1. If samples spaced `1/rate` fit all timestamps within 2.5 samples, they are placed so. The first full
///    second's samples begin at the second.
/// 2. Otherwise the rate is estimated from the run's full seconds, and used if it fits.
/// 3. Otherwise samples are missing, and each second is filled separately: the run's first from the right,
///    the others from the left, spaced `1/rate` or closer if they would not fit.
///
/// The result depends only on the order of samples and their timestamps, not on chunks.
enum WholeSecondTimes {
  /// Returns whether times are truncated: all are whole seconds, each shared by three samples or more.
  ///
  /// - Parameter seconds: Times in any order.
  static func areCut(_ seconds: [Double]) -> Bool {
    guard seconds.count >= 6, seconds.allSatisfy({ $0 == $0.rounded() }) else { return false }
    return Set(seconds).count * 3 <= seconds.count
  }

  /// - Parameters:
  ///   - stamps: Whole seconds in ascending order.
  ///   - rates: Sampling rate at each sample, in hertz; NaN if unknown.
  /// - Returns: Times in strictly ascending order.
  static func rebuild(stamps: [Double], ratesHz rates: [Double]) -> [Double] {
    var times = stamps
    var start = 0
    while start < stamps.count {
      var end = start + 1
      while end < stamps.count, stamps[end] - stamps[end - 1] <= 1, sameRate(rates, end - 1, end) {
        end += 1
      }
      place(start..<end, stamps, rate: rates[start], &times)
      start = end
    }
    // Keep the order where runs of two rates meet within a second.
    for row in times.indices.dropFirst() where times[row] <= times[row - 1] {
      times[row] = times[row - 1] + minimumStep(times[row - 1])
    }
    return times
  }

  /// Returns a hundredth of a sample at 100 Hz, or the smallest step that a double resolves if that is more.
  private static func minimumStep(_ time: Double) -> Double { max(1e-4, 4 * time.ulp) }

  private static func sameRate(_ rates: [Double], _ a: Int, _ b: Int) -> Bool {
    rates[a] == rates[b] || (rates[a].isNaN && rates[b].isNaN)
  }

  private static func place(
    _ run: Range<Int>, _ stamps: [Double], rate: Double, _ times: inout [Double]
  ) {
    // First row of each second.
    var seconds: [Int] = []
    for row in run where row == run.lowerBound || stamps[row] != stamps[row - 1] {
      seconds.append(row)
    }
    var typicalRate = rate
    if !(rate.isFinite && rate > 0) {
      var counts: [Int] = []
      for (index, row) in seconds.enumerated() {
        let next = index + 1 < seconds.count ? seconds[index + 1] : run.upperBound
        counts.append(next - row)
      }
      // The first and last second are incomplete.
      let inner = counts.count > 2 ? Array(counts[1..<(counts.count - 1)]) : counts
      typicalRate = Double(inner.sorted()[inner.count / 2])
    }
    // The most precisely known time: the start of the second second.
    let anchor = seconds.count > 1 ? seconds[1] : run.lowerBound
    var candidates = [typicalRate]
    if seconds.count > 3, let last = seconds.last {
      candidates.append(Double(last - anchor) / (stamps[last] - stamps[anchor]))
    }
    for candidate in candidates where candidate > 0 {
      if placeEvenly(run, stamps, seconds, anchor, candidate, &times) { return }
    }
    placeBySeconds(run, stamps, seconds, typicalRate, &times)
  }

  private static func placeEvenly(
    _ run: Range<Int>, _ stamps: [Double], _ seconds: [Int], _ anchor: Int, _ rate: Double,
    _ times: inout [Double]
  ) -> Bool {
    let tolerance = 2.5 / rate
    func time(_ row: Int) -> Double { stamps[anchor] + Double(row - anchor) / rate }
    for (index, first) in seconds.enumerated() {
      let last = (index + 1 < seconds.count ? seconds[index + 1] : run.upperBound) - 1
      guard time(first) >= stamps[first] - tolerance, time(last) < stamps[first] + 1 + tolerance
      else { return false }
      // A second that begins late has lost samples, except the run's first one.
      if index > 0, time(first) > stamps[first] + tolerance { return false }
    }
    for row in run { times[row] = time(row) }
    return true
  }

  private static func placeBySeconds(
    _ run: Range<Int>, _ stamps: [Double], _ seconds: [Int], _ rate: Double,
    _ times: inout [Double]
  ) {
    for (index, first) in seconds.enumerated() {
      let next = index + 1 < seconds.count ? seconds[index + 1] : run.upperBound
      let count = Double(next - first)
      let step = min(1 / rate, 1 / count)
      let offset = index == 0 && seconds.count > 1 ? 1 - count * step : 0
      for row in first..<next {
        times[row] = stamps[first] + offset + Double(row - first) * step
      }
    }
  }
}
