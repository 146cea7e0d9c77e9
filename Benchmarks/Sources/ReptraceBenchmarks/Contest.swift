import Foundation

/// Times rivals at the same work in the same run.
///
/// Machines are shared and noisy: absolute times drift by factors, while the ratio of two things
/// done one after the other holds. So each repetition runs every contestant once, and what is
/// reported is the median of the ratios of the repetitions. Time is that of the processor spent on
/// the process, all its threads together, so that waiting for a core does not count.
struct Contest {
  struct Contestant {
    var name: String
    /// What is wanted: ours to be at least this many times as fast. nil where nothing is.
    var wanted: Double?
    /// Does the work once and returns a checksum of its result.
    var run: () throws -> Double
    /// What `run` took where it knows better than the clock around it: a rival in another process.
    var measuredSeconds: () -> Double?

    init(
      name: String, wanted: Double? = nil, measuredSeconds: @escaping () -> Double? = { nil },
      run: @escaping () throws -> Double
    ) {
      self.name = name
      self.wanted = wanted
      self.run = run
      self.measuredSeconds = measuredSeconds
    }
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
        let start = processorSeconds()
        checksums[index] = try contestant.run()
        let duration = contestant.measuredSeconds() ?? processorSeconds() - start
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
      var line = "  \(pad(contestant.name, 34)) \(pad(rounded(rate), 12)) \(unit)/s"
      if index > 0 {
        let ratios = zip(seconds[index], ours).map { $0 / $1 }
        line += "   ours is \(rounded(median(ratios))) times as fast"
        line += " (\(rounded(ratios.min() ?? .nan)) to \(rounded(ratios.max() ?? .nan)))"
        if let wanted = contestant.wanted { line += ", wanted \(rounded(wanted))" }
      }
      lines.append(line)
    }
    return lines
  }
}

/// Rivals that do not give the same result do not do the same work.
struct UnequalResults: Error {
  var title: String
  var contestant: String
}

/// Seconds that processors have worked for this process.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
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
