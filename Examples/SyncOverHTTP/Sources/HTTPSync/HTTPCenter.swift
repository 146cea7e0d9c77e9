import AsyncHTTPClient
import Foundation
import HistorySync
import NIOCore
import WorkoutHistory

/// A center behind a ``SyncServer``, for devices without PostgreSQL's library.
public final class HTTPCenter: SyncTransport {
  private let address: String
  private let token: String
  private let client: HTTPClient
  /// Maximum wait for a response, in seconds.
  private static let timeout: Int64 = 60

  /// - Parameters:
  ///   - address: `https://…`, or `http://` on this machine only, because the token must stay secret.
  ///   - token: The bearer token, which identifies the person. It never appears in a message or error.
  /// - Throws: ``SyncError/badAddress(reason:)``.
  public init(address: String, token: String, client: HTTPClient = .shared) throws {
    let components = URLComponents(string: address)
    let isHere = ["127.0.0.1", "::1", "[::1]", "localhost"].contains(components?.host)
    guard let components, components.user == nil, components.password == nil,
      components.scheme == "https" || (components.scheme == "http" && isHere)
    else {
      throw SyncError.badAddress(
        reason: "expected https://HOST without user and password, or http:// of this machine")
    }
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw SyncError.badAddress(reason: "a token is of visible ASCII characters")
    }
    self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
    self.token = token
    self.client = client
  }

  public func pull(_ request: PullRequest) async throws -> PullResponse {
    try await post("pull", request)
  }

  public func push(_ request: PushRequest) async throws -> PushResponse {
    try await post("push", request)
  }

  public func received(_ digests: [String]) async throws -> [String: Int] {
    try await post("received", digests)
  }

  public func upload(_ parts: [SamplePart]) async throws {
    let heads = parts.map {
      SampleMessage.Head(
        digest: $0.digest, size: $0.size, offset: $0.offset, count: $0.bytes.count)
    }
    _ = try await send("upload", SampleMessage.encode(heads, parts.map(\.bytes)))
  }

  public func download(_ ranges: [SampleRange]) async throws -> [Data] {
    let answer = try await send("download", try JSONEncoder().encode(ranges))
    return try Self.reading {
      let (counts, bytes) = try SampleMessage.decode([Int].self, from: answer)
      return try SampleMessage.split(bytes, counts)
    }
  }

  private func post<Answer: Decodable>(
    _ path: String, _ message: some Encodable
  ) async throws -> Answer {
    let body = try JSONEncoder().encode(message)
    guard body.count <= SyncServer.longestMessage else {
      throw SyncError.refused(
        reason: "a page of \(body.count) bytes is too long: send fewer objects")
    }
    let answer = try await send(path, body)
    return try Self.reading { try JSONDecoder().decode(Answer.self, from: answer) }
  }

  private static func reading<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw SyncError.refused(reason: "its answer cannot be read: is it a RepTrace server?")
    }
  }

  private func send(_ path: String, _ body: Data) async throws -> Data {
    var request = HTTPClientRequest(url: "\(address)/\(path)")
    request.method = .POST
    request.headers.add(name: "Authorization", value: "Bearer \(token)")
    request.body = .bytes(ByteBuffer(bytes: body))
    let (status, answer): (UInt, Data)
    do {
      let response = try await client.execute(request, timeout: .seconds(Self.timeout))
      // A response may be longer than a request, because it includes referenced objects.
      let bytes = try await response.body.collect(upTo: 8 * SyncServer.longestMessage)
      (status, answer) = (response.status.code, Data(bytes.readableBytesView))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw SyncError.unreachable(reason: "\(error)")
    }
    if status == 200 { return answer }
    if let error = try? JSONDecoder().decode(SyncError.self, from: answer) { throw error }
    let reason = "it answered with status \(status)"
    // The response came from a proxy rather than from the server.
    throw status == 429 || status >= 500
      ? SyncError.unreachable(reason: reason) : .refused(reason: reason)
  }
}
