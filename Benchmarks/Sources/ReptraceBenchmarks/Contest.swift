import Foundation

/// Times rivals at equal work in one run.
///
/// Machines are shared and noisy: absolute times drift by factors, while the ratio of two tasks run one after
/// the other is stable. So each repetition runs every contestant in turn, and the result is the median of the
/// ratios of the repetitions. Time is processor time of the process over all its threads, so waiting for a
/// core does not count.
struct Contest {
  struct Contestant {
    var name: String
    /// Target: the minimum ratio of our speed to this rival's. Nil without a target.
    var wanted: Double?
    /// Does the work once and returns a checksum of its result.
    var run: () throws -> Double
    /// Duration of `run` as the contestant measured it, for a rival in another process; nil to use the clock.
    var measuredSeconds: () -> Double?
    /// Other figures of the last run, such as bytes per sample.
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
  /// Amount of work in one run, in `unit`.
  var amount: Double
  var unit: String
  /// Ours first; the others are compared with it.
  var contestants: [Contestant]
  var repetitions = 10
  /// Target for our speed, in `unit` per second.
  var wantedRate: Double?
  /// Maximum relative difference of the checksums; nil if they are not comparable.
  var tolerance: Double? = 1e-9
  /// True to measure elapsed time, for work that waits for a disk.
  var countsWaiting = false
  /// Minimum duration of a measurement: shorter work is repeated, so that both sides have warm caches. Rivals in
  /// Python do the same.
  static let minimumSeconds = 0.02
  /// Factor on its group's time budget, for slow rivals.
  var budgetFactor = 1.0

  /// - Parameters:
  ///   - limit: Maximum number of repetitions.
  ///   - budget: Seconds after which no further repetition begins. If the first round takes half of it, that
  ///     round counts and is the only one.
  func run(atMost limit: Int = .max, budget: Double = .infinity) throws -> ContestResult {
    let repetitions = max(1, min(repetitions, limit))
    let budget = budget * budgetFactor
    let clock = countsWaiting ? elapsedSeconds : processorSeconds
    // Rivals that cannot take part, with the reason.
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
        var runs = 0.0
        var duration = 0.0
        do {
          repeat {
            checksums[index] = try contestant.run()
            runs += 1
            duration = clock() - start
          } while !countsWaiting && contestant.measuredSeconds() == nil
            && duration < Self.minimumSeconds
        } catch let failure as PythonRival.RivalFails {
          leftOut[contestant.name] = failure.reason
          continue
        }
        taken[index].append(contestant.measuredSeconds() ?? duration / runs)
      }
      // The first round warms caches and does not count.
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
  /// Runs our side repeatedly under a profiler that is controlled by the pipe named in `PERF_CONTROL`.
  /// Enables and disables the profiler so that it records nothing else.
  ///
  /// - Returns: The amount of work done, in ``unit``.
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
    // The profiler answers on another pipe; a short wait is enough.
    usleep(20_000)
  }
}

/// Thrown if results differ, because then the contestants do not do equal work.
struct UnequalResults: Error {
  var title: String
  var contestant: String
  var ours: Double
  var other: Double
}

/// Returns the processor time of this process, in seconds.
func processorSeconds() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

/// Returns the time since a fixed instant, in seconds.
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
