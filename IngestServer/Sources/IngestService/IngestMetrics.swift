import Synchronization

/// The server's metrics, and their text in Prometheus' exposition format.
final class IngestMetrics: Sendable {
  private struct Outcome: Hashable {
    var route: String
    var status: Int
  }

  private struct State {
    var requests: [Outcome: Int] = [:]
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    var seconds = 0.0
    var bodyBytes = 0
    var connections = 0
  }

  /// Upper bounds of the histogram of request durations, in seconds.
  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  private let state = Mutex(State())

  func noteRequest(_ route: String, status: Int, bodyBytes: Int, seconds: Double) {
    state.withLock { state in
      state.requests[Outcome(route: route, status: status), default: 0] += 1
      state.counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
      state.seconds += seconds
      state.bodyBytes += bodyBytes
    }
  }

  /// Records a new connection.
  ///
  /// - Returns: False if there are too many connections.
  func openConnection(limit: Int) -> Bool {
    state.withLock { state in
      guard state.connections < limit else { return false }
      state.connections += 1
      return true
    }
  }

  func closeConnection() { state.withLock { $0.connections -= 1 } }

  func text(liveConnections: Int, shards: [String]) -> String {
    let state = state.withLock { $0 }
    var text = ""
    func begin(_ name: String, _ type: String, _ help: String) -> String {
      text += "# HELP reptrace_ingest_\(name) \(help).\n# TYPE reptrace_ingest_\(name) \(type)\n"
      return "reptrace_ingest_\(name)"
    }
    let requests = begin("requests_total", "counter", "Requests answered")
    for (outcome, count) in state.requests.sorted(by: {
      ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
    }) {
      text += "\(requests){route=\"\(outcome.route)\",status=\"\(outcome.status)\"} \(count)\n"
    }
    text += "\(begin("body_bytes_total", "counter", "Bytes of bodies received")) "
    text += "\(state.bodyBytes)\n"
    text += "\(begin("connections", "gauge", "Open connections")) \(state.connections)\n"
    text += "\(begin("live_connections", "gauge", "Connections that follow events")) "
    text += "\(liveConnections)\n"
    let duration = begin(
      "request_seconds", "histogram", "From the head of a request to its answer")
    var count = 0
    for (bound, own) in zip(Self.bounds, state.counts) {
      count += own
      text += "\(duration)_bucket{le=\"\(bound)\"} \(count)\n"
    }
    count += state.counts.last ?? 0
    text += "\(duration)_bucket{le=\"+Inf\"} \(count)\n"
    text += "\(duration)_sum \(state.seconds)\n\(duration)_count \(count)\n"
    return text + Self.merge(shards)
  }

  /// Joins the metrics of several streams, adding the label `shard` to each value.
  static func merge(_ shards: [String]) -> String {
    var families: [String: (header: [Substring], values: [String])] = [:]
    var order: [String] = []
    for (shard, text) in shards.enumerated() {
      var family = ""
      for line in text.split(separator: "\n") {
        if line.hasPrefix("# ") {
          let name = String(line.split(separator: " ")[2])
          family = name
          if families[name] == nil { order.append(name) }
          if shard == 0 || families[name]?.header.count ?? 0 < 2 {
            families[name, default: ([], [])].header.append(line)
          }
        } else if let space = line.lastIndex(of: " ") {
          var series = String(line[..<space])
          if series.hasSuffix("}") {
            series = series.dropLast() + ",shard=\"\(shard)\"}"
          } else {
            series += "{shard=\"\(shard)\"}"
          }
          families[family]?.values.append(series + line[space...])
        }
      }
    }
    return order.map { name in
      let family = families[name]
      let lines = (family?.header ?? []).map(String.init) + (family?.values ?? [])
      return lines.joined(separator: "\n") + "\n"
    }.joined()
  }
}
