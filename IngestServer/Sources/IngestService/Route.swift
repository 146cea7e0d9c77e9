import Foundation
import NIOHTTP1

/// A resource of the server.
enum Route: Sendable, Hashable {
  case chunks, messages, sets, live, openAPI, health, ready, metrics
  case set(String)
  case samples(String)
  case plot(String)

  enum Failure: Error {
    case notFound
    case wrongMethod(allowed: String)
  }

  /// All resources: path in OpenAPI's notation, and method.
  static let all: [(path: String, method: HTTPMethod, make: @Sendable (String) -> Route)] = [
    ("/v1/chunks", .POST, { _ in .chunks }),
    ("/v1/messages", .POST, { _ in .messages }),
    ("/v1/sets", .GET, { _ in .sets }),
    ("/v1/sets/{key}", .GET, { .set($0) }),
    ("/v1/sets/{key}/samples", .GET, { .samples($0) }),
    ("/v1/sets/{key}/plot", .GET, { .plot($0) }),
    ("/v1/live", .GET, { _ in .live }),
    ("/v1/openapi.json", .GET, { _ in .openAPI }),
    ("/healthz", .GET, { _ in .health }),
    ("/readyz", .GET, { _ in .ready }),
    ("/metrics", .GET, { _ in .metrics }),
  ]

  /// - Throws: ``Failure``.
  init(_ head: HTTPRequestHead) throws(Failure) {
    let path = head.uri.prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for route in Self.all {
      let names = route.path.split(separator: "/", omittingEmptySubsequences: false)
      guard names.count == parts.count else { continue }
      var key = ""
      var matches = true
      for (name, part) in zip(names, parts) where matches {
        if name == "{key}" {
          key = part.removingPercentEncoding ?? ""
          matches = !key.isEmpty
        } else {
          matches = name == part
        }
      }
      guard matches else { continue }
      guard head.method == route.method else { throw .wrongMethod(allowed: "\(route.method)") }
      self = route.make(key)
      return
    }
    throw .notFound
  }

  /// True if the resource belongs to a person.
  var needsPerson: Bool {
    switch self {
    case .chunks, .messages, .sets, .set, .samples, .plot, .live: true
    case .openAPI, .health, .ready, .metrics: false
    }
  }

  /// The name in metrics and the log, without ids.
  var name: String {
    switch self {
    case .chunks: "/v1/chunks"
    case .messages: "/v1/messages"
    case .sets: "/v1/sets"
    case .set: "/v1/sets/{key}"
    case .samples: "/v1/sets/{key}/samples"
    case .plot: "/v1/sets/{key}/plot"
    case .live: "/v1/live"
    case .openAPI: "/v1/openapi.json"
    case .health: "/healthz"
    case .ready: "/readyz"
    case .metrics: "/metrics"
    }
  }
}

extension HTTPRequestHead {
  /// The query's parameters; the last value of a name wins.
  var query: [String: String] {
    guard let mark = uri.firstIndex(of: "?") else { return [:] }
    var query: [String: String] = [:]
    for pair in uri[uri.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].removingPercentEncoding ?? ""
      query[name] = parts.count == 2 ? parts[1].removingPercentEncoding ?? "" : ""
    }
    return query
  }
}
