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
    /// What is wanted: ours to be at least this many times as fast. Nil where nothing is.
    var wanted: Double?
    /// Does the work once and returns a checksum of its result.
    var run: () throws -> Double
    /// What `run` took where it knows better than the clock around it: a rival in another process.
    var measuredSeconds: () -> Double?
    /// Other figures of the last run, as bytes a sample.
    var figures: () -> [String: Double]

    init(
      name: String, wanted: Double? = nil,
      measuredSeconds: @autoclosure @escaping () -> Double? = nil,
      figures: @autoclosure @escaping () -> [String: Double] = [:],
      run: @escaping () throws -> Double
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
  /// Counts the time that goes by, for work that waits for a disk.
  var countsWaiting = false
  /// How much more than its group's seconds it may take, where a rival is slow.
  var budgetFactor = 1.0

  /// - Parameters:
  ///   - limit: at most so many repetitions, whatever the contest has.
  ///   - budget: seconds after which no further repetition begins. A contest whose first round takes
  ///     half of it has no other; that round then counts.
  func run(atMost limit: Int = .max, budget: Double = .infinity) throws -> ContestResult {
    let repetitions = max(1, min(repetitions, limit))
    let budget = budget * budgetFactor
    let clock = countsWaiting ? elapsedSeconds : processorSeconds
    // Rivals that cannot take part, and why.
    var leftOut: [String: String] = [:]
    var taken = contestants.map { _ in [Double]() }
    var checksums = contestants.map { _ in 0.0 }
    let begin = elapsedSeconds()
    var rounds = 0
    for repetition in -1..<repetitions {
      let spent = elapsedSeconds() - begin
      if rounds > 0, spent * (1 + 1 / Double(rounds)) > budget, taken[0].count > 0 { break }
      let isWarmUp = repetition < 0
      rounds += 1
      for (index, contestant) in contestants.enumerated() where leftOut[contestant.name] == nil {
        let start = clock()
        do {
          checksums[index] = try contestant.run()
        } catch let failure as PythonRival.RivalFails {
          leftOut[contestant.name] = failure.reason
          continue
        }
        let duration =
          contestant.measuredSeconds() ?? (countsWaiting ? elapsedSeconds() : processorSeconds())
          - start
        taken[index].append(duration)
      }
      // The first round warms caches and is not counted.
      if isWarmUp, elapsedSeconds() - begin < budget / 2 {
        for index in taken.indices { taken[index] = [] }
      } else if isWarmUp {
        break
      }
    }
    let present = contestants.indices.filter { leftOut[contestants[$0].name] == nil }
    let entries = try present.map { index in
      let contestant = contestants[index]
      if let tolerance {
        guard abs(checksums[index] - checksums[0]) <= tolerance * abs(checksums[0]) else {
          throw UnequalResults(
            title: title, contestant: contestant.name, ours: checksums[0], other: checksums[index])
        }
      }
      let ratios = zip(taken[index], taken[0]).map { $0 / $1 }
      return ContestResult.Entry(
        name: contestant.name, rate: amount / median(taken[index]),
        bestRate: amount / (taken[index].min() ?? .nan),
        ratio: index == 0 ? nil : median(ratios), lowestRatio: index == 0 ? nil : ratios.min(),
        highestRatio: index == 0 ? nil : ratios.max(), wanted: contestant.wanted,
        figures: contestant.figures())
    }
    return ContestResult(
      title: title, unit: unit, repetitions: taken[0].count, wantedRate: wantedRate,
      entries: entries, leftOut: leftOut)
  }
}

extension Contest {
  /// Runs our side for so long, for a profiler that listens at the pipe named by `PERF_CONTROL`:
  /// it is told to begin and to end, so that it sees nothing else.
  ///
  /// - Returns: how much was done, in ``unit``.
  func runOurs(seconds: Double) throws -> Double {
    guard let ours = contestants.first else { return 0 }
    _ = try ours.run()
    tellProfiler("enable\n")
    let begin = elapsedSeconds()
    var rounds = 0
    while rounds == 0 || elapsedSeconds() - begin < seconds {
      _ = try ours.run()
      rounds += 1
    }
    tellProfiler("disable\n")
    return Double(rounds) * amount
  }

  private func tellProfiler(_ command: String) {
    guard let path = ProcessInfo.processInfo.environment["PERF_CONTROL"],
      let pipe = FileHandle(forWritingAtPath: path)
    else { return }
    pipe.write(Data(command.utf8))
    try? pipe.close()
    // It answers on another pipe; a moment is enough.
    usleep(20_000)
  }
}

/// Rivals that do not give the same result do not do the same work.
struct UnequalResults: Error {
  var title: String
  var contestant: String
  var ours: Double
  var other: Double
}

/// Seconds that processors have worked for this process.
func processorSeconds() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

/// Seconds that went by, since some instant.
func elapsedSeconds() -> Double { seconds(CLOCK_MONOTONIC) }

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
