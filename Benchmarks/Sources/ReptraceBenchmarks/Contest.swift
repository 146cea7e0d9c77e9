/// Times rivals at the same work in the same run.
///
/// Machines are shared and noisy: absolute times drift by factors, while the ratio of two things
/// done one after the other holds. So each repetition runs every contestant once, and what is
/// reported is the median of the ratios of the repetitions.
struct Contest {
  struct Contestant {
    var name: String
    /// Does the work once and returns a checksum of its result.
    var run: () throws -> Double
  }

  var title: String
  /// How much one run does, in `unit`.
  var amount: Double
  var unit: String
  /// The first one is ours; the others are measured against it.
  var contestants: [Contestant]
  var repetitions = 10

  func report() throws -> [String] {
    var seconds = contestants.map { _ in [Double]() }
    var checksums = contestants.map { _ in 0.0 }
    for repetition in -1..<repetitions {
      for (index, contestant) in contestants.enumerated() {
        let clock = ContinuousClock()
        let start = clock.now
        checksums[index] = try contestant.run()
        let duration = (clock.now - start).seconds
        // The first round warms caches and is not counted.
        if repetition >= 0 { seconds[index].append(duration) }
      }
    }
    guard let ours = seconds.first else { return [] }
    var lines = ["\(title)"]
    for (index, contestant) in contestants.enumerated() {
      guard abs(checksums[index] - checksums[0]) <= 1e-9 * abs(checksums[0]) else {
        throw UnequalResults(title: title, contestant: contestant.name)
      }
      let rate = amount / median(seconds[index])
      let ratio = median(zip(seconds[index], ours).map { $0 / $1 })
      lines.append(
        "  \(pad(contestant.name, 34)) \(pad(rounded(rate), 12)) \(unit)/s"
          + (index == 0 ? "" : "   ours is \(rounded(ratio)) times as fast"))
    }
    return lines
  }
}

/// Rivals that do not give the same result do not do the same work.
struct UnequalResults: Error {
  var title: String
  var contestant: String
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

private func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

private func rounded(_ value: Double) -> String {
  value >= 100 ? String(Int(value.rounded())) : String((value * 100).rounded() / 100)
}
