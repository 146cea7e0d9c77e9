import AsyncHTTPClient
import Foundation
import HistorySync
import NIOCore
import NIOHTTP1
import WorkoutHistory

/// A centre behind a ``SyncServer``: what a device needs, without PostgreSQL's library.
public final class HTTPCentre: SyncTransport {
  private let address: String
  private let token: String
  private let client: HTTPClient
  /// How long an answer may take, in seconds.
  private static let timeout: Int64 = 60

  /// - Parameters:
  ///   - address: `https://…`, or `http://` and this machine: a token is not for others to read.
  ///   - token: Says whose rows are meant. It is in no message and no error.
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

  public func upload(_ part: Data, at offset: Int, of digest: String, size: Int) async throws {
    _ = try await send(.PUT, "samples/\(digest)?offset=\(offset)&size=\(size)", part)
  }

  public func download(_ digest: String, from offset: Int, limit: Int) async throws -> Data {
    try await send(.GET, "samples/\(digest)?offset=\(offset)&limit=\(limit)", nil)
  }

  private func post<Answer: Decodable>(
    _ path: String, _ message: some Encodable
  ) async throws -> Answer {
    let body = try JSONEncoder().encode(message)
    guard body.count <= SyncServer.longestMessage else {
      throw SyncError.refused(
        reason: "a page of \(body.count) bytes is too long: send fewer objects")
    }
    let answer = try await send(.POST, path, body)
    do {
      return try JSONDecoder().decode(Answer.self, from: answer)
    } catch {
      throw SyncError.refused(reason: "its answer cannot be read: is it a RepTrace server?")
    }
  }

  private func send(_ method: HTTPMethod, _ path: String, _ body: Data?) async throws -> Data {
    var request = HTTPClientRequest(url: "\(address)/\(path)")
    request.method = method
    request.headers.add(name: "Authorization", value: "Bearer \(token)")
    if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
    let (status, answer): (UInt, Data)
    do {
      let response = try await client.execute(request, timeout: .seconds(Self.timeout))
      // A page may be longer than what is sent: objects bring along what they belong to.
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
    // A proxy's word, and not the server's.
    throw status == 429 || status >= 500
      ? SyncError.unreachable(reason: reason) : .refused(reason: reason)
  }
}
