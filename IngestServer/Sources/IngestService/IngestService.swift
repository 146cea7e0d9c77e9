import ChunkStream
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A complete request.
struct IngestRequest: Sendable {
  var head: HTTPRequestHead
  var route: Route
  /// The person; empty for a route without one.
  var person: String
  var body: [UInt8]
}

struct IngestResponse: Sendable {
  var status: HTTPResponseStatus
  var headers: HTTPHeaders = [:]
  var body: String

  init(
    _ status: HTTPResponseStatus, type: String = "application/json", _ body: String,
    headers: HTTPHeaders = [:]
  ) {
    self.status = status
    self.body = body
    self.headers = headers
    self.headers.add(name: "content-type", value: type)
  }

  /// Returns a failure with a message for clients.
  static func failure(
    _ status: HTTPResponseStatus, _ message: String, headers: HTTPHeaders = [:]
  ) -> IngestResponse {
    let text = (try? JSONEncoder().encode(["error": message])).map {
      String(decoding: $0, as: UTF8.self)
    }
    return IngestResponse(status, text ?? "{}", headers: headers)
  }

  static func tooBusy(
    _ status: HTTPResponseStatus, _ message: String, after seconds: Int
  ) -> IngestResponse {
    failure(status, message, headers: ["retry-after": "\(seconds)"])
  }
}

/// Answers requests, independently of connections.
final class IngestService: Sendable {
  let configuration: IngestConfiguration
  let authenticator: Authenticator
  let shards: Shards
  let hub: LiveHub
  let metrics: IngestMetrics
  private let rates: RateLimiter
  /// Threads for reading the history, which blocks.
  private let readers: NIOThreadPool
  private let isReady: @Sendable () -> Bool

  init(
    configuration: IngestConfiguration, authenticator: Authenticator, shards: Shards, hub: LiveHub,
    metrics: IngestMetrics, readers: NIOThreadPool, isReady: @escaping @Sendable () -> Bool
  ) {
    self.configuration = configuration
    self.authenticator = authenticator
    self.shards = shards
    self.hub = hub
    self.metrics = metrics
    self.readers = readers
    self.isReady = isReady
    rates = RateLimiter(
      burst: configuration.limits.burst, perSecond: configuration.limits.requestsPerSecond)
  }

  /// Returns an error response if a person exceeds the rate limit.
  func refusal(of person: String) -> IngestResponse? {
    rates.take(person).map {
      .tooBusy(.tooManyRequests, "too many requests of one person", after: $0)
    }
  }

  func respond(to request: IngestRequest) async -> IngestResponse {
    do {
      switch request.route {
      case .chunks, .messages: return await receive(request)
      case .live:
        return .failure(
          .upgradeRequired, "a WebSocket was expected", headers: ["upgrade": "websocket"])
      case .health: return IngestResponse(.ok, type: "text/plain", "ok\n")
      case .ready:
        let isReady = isReady()
        return IngestResponse(
          isReady ? .ok : .serviceUnavailable, type: "text/plain",
          isReady ? "ready\n" : "draining\n")
      case .openAPI:
        return IngestResponse(.ok, String(decoding: PackageResources.openapi_json, as: UTF8.self))
      case .metrics, .sets, .set, .samples, .plot:
        return try await readers.runIfActive { [self] in try read(request) }
      }
    } catch {
      return .failure(.internalServerError, "the data cannot be read")
    }
  }

  // MARK: - Messages

  private func receive(_ request: IngestRequest) async -> IngestResponse {
    let body = RequestBody(limits: configuration.limits, person: request.person)
    let messages: [ChunkStream.Message]
    do {
      messages = try body.messages(request.body, request.head.headers)
    } catch {
      return .failure(error.status, error.message)
    }
    do {
      let answers = try await shards.stream(of: request.person).send(messages)
      return IngestResponse(
        answers.contains(where: \.isError) ? .unprocessableEntity : .ok,
        "[" + answers.map(\.json).joined(separator: ",\n") + "]\n")
    } catch ChunkStream.Failure.busy {
      return .tooBusy(.tooManyRequests, "the queues are full; nothing was taken", after: 1)
    } catch {
      return .tooBusy(
        .serviceUnavailable, "the server is ending; nothing is acknowledged", after: 5)
    }
  }

  // MARK: - Reading

  private func read(_ request: IngestRequest) throws -> IngestResponse {
    let stream = shards.stream(of: request.person)
    switch request.route {
    case .metrics:
      return IngestResponse(
        .ok, type: "text/plain; version=0.0.4",
        metrics.text(liveConnections: hub.count, shards: shards.metrics()))
    case .sets: return try list(request, stream)
    case .set(let key), .samples(let key), .plot(let key):
      guard let set = try stream.set(key, of: request.person) else {
        return .failure(.notFound, "no such set")
      }
      switch request.route {
      case .samples:
        return IngestResponse(.ok, type: "text/csv; charset=utf-8", try stream.samplesCSV(of: set))
      case .plot: return IngestResponse(.ok, type: "image/svg+xml", try stream.plotSVG(of: set))
      default:
        return prefersCSV(request)
          ? IngestResponse(.ok, type: "text/csv; charset=utf-8", Self.csv([set]))
          : IngestResponse(.ok, try stream.details(of: set) + "\n")
      }
    default: return .failure(.notFound, "no such resource")
    }
  }

  private static let setsAtMost = 1000

  private func list(_ request: IngestRequest, _ stream: ChunkStream) throws -> IngestResponse {
    let query = request.head.query
    var (limit, cursor): (Int, Int64?) = (100, nil)
    if let text = query["limit"] {
      guard let number = Int(text), (1...Self.setsAtMost).contains(number) else {
        return .failure(.badRequest, "limit is from 1 to \(Self.setsAtMost)")
      }
      limit = number
    }
    if let text = query["before"] {
      guard let number = Int64(text) else {
        return .failure(.badRequest, "before is the cursor of a page before")
      }
      cursor = number
    }
    let sets = try stream.sets(of: request.person, before: cursor, limit: limit)
    var headers: HTTPHeaders = [:]
    if sets.count == limit, let last = sets.last {
      headers.add(
        name: "link", value: "</v1/sets?limit=\(limit)&before=\(last.cursor)>; rel=\"next\"")
    }
    return prefersCSV(request)
      ? IngestResponse(.ok, type: "text/csv; charset=utf-8", Self.csv(sets), headers: headers)
      : IngestResponse(
        .ok, "[" + sets.map(\.json).joined(separator: ",\n") + "]\n", headers: headers)
  }

  private static func csv(_ sets: [ChunkStream.StoredSet]) -> String {
    ([ChunkStream.StoredSet.csvHeader] + sets.map(\.csv)).joined(separator: "\n") + "\n"
  }

  private func prefersCSV(_ request: IngestRequest) -> Bool {
    let accepted = request.head.headers[canonicalForm: "accept"].map { $0.lowercased() }
    return accepted.first { $0.hasPrefix("text/csv") || $0.hasPrefix("application/json") }?
      .hasPrefix("text/csv") ?? false
  }
}
