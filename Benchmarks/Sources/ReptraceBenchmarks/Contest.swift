/// Times rivals at the same work in the same run.
///
/// Machines are shared and noisy: absolute times drift by factors, while the ratio of two things
/// done one after the other holds. So each repetition runs every contestant once, and what is
/// reported is the median of the ratios of the repetitions.
struct Contest {
  struct Contestant {
    var name: String
    /// What is wanted: ours to be at least this many times as fast. Nil where nothing is.
    var wanted: Double?
    /// Does the work once and returns a checksum of its result.
    var run: () throws -> Double
    /// What `run` took where it knows better than the clock around it: a rival in another process.
    var measuredSeconds: () -> Double?
    /// Other figures of the last run, as bytes a sample.
    var figures: () -> [String: Double]

    init(
      name: String, wanted: Double? = nil, measuredSeconds: @escaping () -> Double? = { nil },
      figures: @escaping () -> [String: Double] = { [:] }, run: @escaping () throws -> Double
    ) {
      self.name = name
      self.wanted = wanted
      self.run = run
      self.measuredSeconds = measuredSeconds
      self.figures = figures
    }
  }

  var title: String
  /// How much one run does, in `unit`.
  var amount: Double
  var unit: String
  /// The first one is ours; the others are measured against it.
  var contestants: [Contestant]
  var repetitions = 10
  /// What is wanted of ours, in `unit` a second.
  var wantedRate: Double?
  /// How much the checksums may differ, relatively; nil where they are not of the same thing.
  var tolerance: Double? = 1e-9

  /// - Parameter repetitions: at most this many, whatever the contest has.
  func run(atMost limit: Int = .max) throws -> ContestResult {
    let repetitions = max(1, min(repetitions, limit))
    var seconds = contestants.map { _ in [Double]() }
    var checksums = contestants.map { _ in 0.0 }
    for repetition in -1..<repetitions {
      for (index, contestant) in contestants.enumerated() {
        let clock = ContinuousClock()
        let start = clock.now
        checksums[index] = try contestant.run()
        let duration = contestant.measuredSeconds() ?? (clock.now - start).seconds
        // The first round warms caches and is not counted.
        if repetition >= 0 { seconds[index].append(duration) }
      }
    }
    let entries = try contestants.indices.map { index in
      let contestant = contestants[index]
      if let tolerance {
        guard abs(checksums[index] - checksums[0]) <= tolerance * abs(checksums[0]) else {
          throw UnequalResults(
            title: title, contestant: contestant.name, ours: checksums[0], other: checksums[index])
        }
      }
      let ratios = zip(seconds[index], seconds[0]).map { $0 / $1 }
      return ContestResult.Entry(
        name: contestant.name, rate: amount / median(seconds[index]),
        bestRate: amount / (seconds[index].min() ?? .nan),
        ratio: index == 0 ? nil : median(ratios), lowestRatio: index == 0 ? nil : ratios.min(),
        highestRatio: index == 0 ? nil : ratios.max(), wanted: contestant.wanted,
        figures: contestant.figures())
    }
    return ContestResult(
      title: title, unit: unit, repetitions: repetitions, wantedRate: wantedRate,
      entries: entries)
  }
}

/// Rivals that do not give the same result do not do the same work.
struct UnequalResults: Error {
  var title: String
  var contestant: String
  var ours: Double
  var other: Double
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
