import Foundation
import Logging
import RepTrace

/// Runs a stream between standard input and standard output: one thread reads and decodes, those of a
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
  ///   - drainSeconds: How long finishing may take once the process is told to end.
  ///   - metricsPath: Where the running figures are written, every few seconds.
  ///   - log: Of starts, recoveries, finished sets, refused messages, and ends.
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

  /// Runs until the input ends or the process is told to end. Its threads have ended then.
  ///
  /// - Throws: ``InputError``, ``OutputError``, and what the history throws.
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

  /// Replaces the file of metrics at once: who reads it sees the old one or the new one.
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
