import Foundation
import Logging
import RepTrace

/// Runs a stream between standard input and standard output. One thread reads and decodes; those of a
/// ``StreamLoop`` detect, commit and write.
final class StreamService: Sendable {
  private let options: StreamOptions
  private let history: HistoryStore?
  private let drainSeconds: Double
  private let metricsPath: String?
  private let log: Logger
  private let loop: StreamLoop

  /// - Parameters:
  ///   - claim: The right to write the history's journal.
  ///   - drainSeconds: Maximum time to finish after a termination signal.
  ///   - metricsPath: Path of the file to which metrics are written every few seconds.
  ///   - log: Log of starts, recoveries, finished sets, refused messages and ends.
  init(
    options: StreamOptions, history: HistoryStore?, claim: JournalClaim?, drainSeconds: Double,
    metricsPath: String?, log: Logger
  ) {
    self.options = options
    self.history = history
    self.drainSeconds = drainSeconds
    self.metricsPath = metricsPath
    self.log = log
    loop = StreamLoop(
      options: options, history: history, claim: claim, measuresMemory: metricsPath != nil)
  }

  var summary: String {
    let memory = loop.finalMemory.map {
      "; \($0.sets) sets in memory at the end, their samples in \($0.sampleBytes) bytes"
    }
    let metrics = loop.metrics
    return "\(metrics.messageCount) messages, \(metrics.totalEventCount) events, "
      + "\(metrics.eventCount("error")) errors" + (memory ?? "")
  }

  /// Runs until the input ends or a termination signal arrives. All threads have ended when it returns.
  ///
  /// - Throws: ``InputError``, ``OutputError``, and errors of the history.
  func run() throws {
    var start: Logger.Metadata = ["workers": .stringConvertible(options.workers)]
    start["store"] = history.map { .string($0.path) }
    log.info("start", metadata: start)
    let limit = options.decoding.limits.messageBytes
    let report = { @Sendable [self] in writeMetrics() }
    let signals = try StreamSignals(drainSeconds: drainSeconds, onUser: report)
    let timer = metricsPath.map { _ in signals.every(Self.metricsInterval, report) }
    let reading = try JoinedThread { [loop] in
      do {
        let reader = StreamReader(descriptor: STDIN_FILENO, messageBytes: limit, signals: signals)
        while let messages = try reader.next() {
          guard loop.submit(messages) else { break }
        }
        loop.close()
      } catch {
        loop.fail(error)
      }
    }
    let outcome = Result {
      try loop.run(
        onRecovery: { [log] sets in
          log.info("recovered", metadata: ["sets": .stringConvertible(sets)])
        }, undelivered: { try write($0) },
        deliver: { delivery in
          try write(delivery.items.map(\.line))
          for item in delivery.items { log.note(item.event) }
        })
    }
    signals.endInput()
    reading.join()
    timer?.cancel()
    report()
    let metrics = loop.metrics
    log.info(
      "end",
      metadata: [
        "messages": .stringConvertible(metrics.messageCount),
        "events": .stringConvertible(metrics.totalEventCount),
        "errors": .stringConvertible(metrics.eventCount("error")),
      ])
    try outcome.get()
  }

  private func write(_ lines: [String]) throws {
    guard !lines.isEmpty else { return }
    try StandardStreams.write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
  }

  // MARK: - Metrics

  private static let metricsInterval = 5.0

  /// Replaces the metrics file atomically, so that readers see the old or the new one.
  private func writeMetrics() {
    guard let metricsPath else { return }
    do {
      try Data(loop.metricsText().utf8).write(
        to: URL(fileURLWithPath: metricsPath), options: .atomic)
    } catch {
      StandardStreams.note("cannot write the metrics: \(FileError(metricsPath, error))")
    }
  }
}
