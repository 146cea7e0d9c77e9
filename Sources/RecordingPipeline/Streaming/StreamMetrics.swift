import ChunkDecoding
import Motion
import Synchronization

/// Statistics of a batch of messages, for monitoring.
package struct StreamStatistics: Sendable, Hashable {
  package var messages = 0
  package var chunks = 0
  package var samples = 0
  /// Number of sets and sessions open after the batch.
  package var openSets = 0
  /// Number of ended sets in memory.
  package var endedSets = 0
  /// Date of the batch's newest sample, in seconds since 1970; nil if unknown.
  package var newestUnixTime: Double?

  package init() {}

  /// Adds the statistics of later messages.
  mutating func add(_ next: StreamStatistics) {
    messages += next.messages
    chunks += next.chunks
    samples += next.samples
    guard let date = next.newestUnixTime else { return }
    newestUnixTime = max(newestUnixTime ?? date, date)
  }

  mutating func note(_ chunk: DecodedChunk) {
    chunks += 1
    samples += chunk.samples.count
    let times = chunk.samples.times
    guard let first = times.first, let last = times.last else { return }
    let scale = chunk.samples.units.time.unitsPerSecond
    let date =
      chunk.samples.clock == .unix
      ? last / scale
      : chunk.unixTimeOfFirstSample.map { $0 + (last - first) / scale } ?? chunk.metadata.unixTime
    guard let date, date.isFinite else { return }
    newestUnixTime = max(newestUnixTime ?? date, date)
  }
}

/// The metrics of a running stream, and their text in Prometheus' exposition format 0.0.4. Thread-safe.
package final class StreamMetrics: Sendable {
  /// Values that are measured only on request.
  package struct Gauges: Sendable {
    /// Current time, in seconds since 1970.
    package var unixTime = 0.0
    /// Number of batches queued between threads.
    package var queuedInputs = 0
    package var queuedOutputs = 0
    /// Number of messages in the journal, and their size in bytes.
    package var journalEntries: Int?
    package var journalBytes: Int?
    /// Sizes of the store's file and its write-ahead log, in bytes.
    package var storeBytes: Int?
    package var logBytes: Int?

    package init() {}
  }

  private struct Histogram {
    /// Upper bounds, in seconds.
    static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    var sum = 0.0

    mutating func note(_ seconds: Double, count: Int) {
      counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += count
      sum += seconds * Double(count)
    }
  }

  private struct State {
    var total = StreamStatistics()
    var events: [String: Int] = [:]
    var refused: [String: Int] = [:]
    var warnings: [String: Int] = [:]
    var receivedToDurable = Histogram()
    var receivedToEvent = Histogram()
    var sampleBytes = 0
    var queuedBytes = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Adds to the bytes received and not yet processed.
  package func noteReceived(bytes: Int) { state.withLock { $0.queuedBytes += bytes } }

  /// Records a processed batch.
  package func note(_ statistics: StreamStatistics, bytes: Int) {
    state.withLock { state in
      state.queuedBytes -= bytes
      state.total.add(statistics)
      state.total.openSets = statistics.openSets
      state.total.endedSets = statistics.endedSets
    }
  }

  /// Records the memory in use.
  package func note(_ memory: StreamEngine.Memory) {
    state.withLock { $0.sampleBytes = memory.sampleBytes }
  }

  /// Records the delay from receipt of messages until they were durable, in seconds.
  package func noteDurable(messages: Int, after seconds: Double) {
    state.withLock { $0.receivedToDurable.note(seconds, count: messages) }
  }

  /// Records the delay from receipt of messages until their events were written, in seconds; nil for events
  /// that no message caused.
  package func noteWritten(_ events: [StreamEvent], after seconds: Double?) {
    state.withLock { state in
      for event in events {
        state.events[event.name, default: 0] += 1
        switch event.kind {
        case .error(let kind, _, _): state.refused[kind, default: 0] += 1
        case .warning(let kind, _): state.warnings[kind, default: 0] += 1
        default: break
        }
      }
      if let seconds { state.receivedToEvent.note(seconds, count: events.count) }
    }
  }

  /// Returns the number of events written of a kind (`StreamEvent.name`).
  package func eventCount(_ name: String) -> Int { state.withLock { $0.events[name] ?? 0 } }
  package var messageCount: Int { state.withLock { $0.total.messages } }
  package var totalEventCount: Int { state.withLock { $0.events.values.reduce(0, +) } }

  /// Returns all metrics, each with its type and help line.
  package func text(_ gauges: Gauges) -> String {
    let state = state.withLock { $0 }
    var text = MetricsText()
    let total = state.total
    text.counter("messages", "Messages received", total.messages)
    text.counter("chunks", "Chunks received", total.chunks)
    text.counter("samples", "Samples of these chunks", total.samples)
    text.counter("reps", "Reps announced", state.events["rep"] ?? 0)
    text.counters("events", "Events written", label: "event", state.events)
    text.counters("refused", "Messages refused", label: "reason", state.refused)
    text.counters("warnings", "Warnings", label: "reason", state.warnings)
    text.gauge("open_sets", "Sets and sessions under way", total.openSets)
    text.gauge("ended_sets", "Sets that have ended and are in memory", total.endedSets)
    text.gauge("sample_bytes", "Bytes of samples in memory, packed", state.sampleBytes)
    text.gauge("queued_bytes", "Bytes received and not processed", state.queuedBytes)
    text.gauge("queued_input_batches", "Batches that wait to be processed", gauges.queuedInputs)
    text.gauge("queued_output_batches", "Batches that wait to be committed", gauges.queuedOutputs)
    if let newest = total.newestUnixTime {
      text.gauge("lag_seconds", "Now, less the date of the newest sample", gauges.unixTime - newest)
    }
    if let entries = gauges.journalEntries {
      text.gauge("journal_entries", "Messages in the journal", entries)
    }
    if let bytes = gauges.journalBytes {
      text.gauge("journal_bytes", "Bytes of the messages in the journal", bytes)
    }
    if let bytes = gauges.storeBytes { text.gauge("store_bytes", "Size of the store", bytes) }
    if let bytes = gauges.logBytes { text.gauge("store_log_bytes", "Size of its log", bytes) }
    text.histogram(
      "received_to_durable_seconds", "From a message's receipt to its commit", Histogram.bounds,
      state.receivedToDurable.counts, sum: state.receivedToDurable.sum)
    text.histogram(
      "received_to_event_seconds", "From a message's receipt to its events' being written",
      Histogram.bounds, state.receivedToEvent.counts, sum: state.receivedToEvent.sum)
    return text.text
  }
}

/// Lines of the exposition format.
private struct MetricsText {
  var text = ""

  private mutating func begin(_ name: String, _ type: String, _ help: String) -> String {
    let name = "reptrace_stream_" + name
    text += "# HELP \(name) \(help).\n# TYPE \(name) \(type)\n"
    return name
  }

  mutating func counter(_ name: String, _ help: String, _ value: Int) {
    text += "\(begin(name + "_total", "counter", help)) \(value)\n"
  }

  mutating func counters(_ name: String, _ help: String, label: String, _ values: [String: Int]) {
    let name = begin(name + "_total", "counter", help)
    for (value, count) in values.sorted(by: { $0.key < $1.key }) {
      text += "\(name){\(label)=\"\(value)\"} \(count)\n"
    }
  }

  mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    text += "\(begin(name, "gauge", help)) \(value)\n"
  }

  mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    text += "\(begin(name, "gauge", help)) \(value)\n"
  }

  mutating func histogram(
    _ name: String, _ help: String, _ bounds: [Double], _ counts: [Int], sum: Double
  ) {
    let name = begin(name, "histogram", help)
    var count = 0
    for (bound, own) in zip(bounds, counts) {
      count += own
      text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
    }
    count += counts.last ?? 0
    text += "\(name)_bucket{le=\"+Inf\"} \(count)\n\(name)_sum \(sum)\n\(name)_count \(count)\n"
  }
}
