import Foundation
import HistorySync
import Hummingbird
import NIOCore
import WorkoutHistory

/// A centre's HTTP face: tells people apart by their tokens, and hands their messages on.
///
/// | request | body | answer |
/// |---|---|---|
/// | `POST /pull` | `PullRequest` | `PullResponse` |
/// | `POST /push` | `PushRequest` | `PushResponse` |
/// | `POST /received` | digests | bytes by digest |
/// | `PUT /samples/DIGEST?offset=&size=` | a part | nothing |
/// | `GET /samples/DIGEST?offset=&limit=` | | a part |
///
/// Messages are JSON, samples are bytes. An error is a ``SyncError`` as JSON, with a status that fits.
/// Whose rows are read and written follows from the token alone: no message names a person. The server
/// speaks no TLS: a proxy in front of it does.
public struct SyncServer: Sendable {
  /// The longest message that is taken, in bytes.
  public static let longestMessage = 16 << 20
  /// The most objects in an answer.
  static let longestPage = 10_000
  /// The longest samples of one digest that are taken, in bytes.
  static let longestSamples = 256 << 20

  private let people: [String: any SyncTransport]

  /// - Parameter people: Each person's centre, by their token's digest (``digest(ofToken:)``), so that
  ///   who reads the server's files learns no token.
  public init(people: [String: any SyncTransport]) { self.people = people }

  /// The SHA-256 of a token, in hexadecimal digits.
  public static func digest(ofToken token: String) -> String {
    HistoryStore.digest(of: Data(token.utf8))
  }

  public var router: Router<BasicRequestContext> {
    let router = Router()
    router.post("pull") { request, _ in
      await answer(request) { centre, body in
        let pull = try JSONDecoder().decode(PullRequest.self, from: body)
        try Self.require(pull.limit, in: 1...Self.longestPage, "limit")
        return try JSONEncoder().encode(try await centre.pull(pull))
      }
    }
    router.post("push") { request, _ in
      await answer(request) { centre, body in
        let push = try JSONDecoder().decode(PushRequest.self, from: body)
        return try JSONEncoder().encode(try await centre.push(push))
      }
    }
    router.post("received") { request, _ in
      await answer(request) { centre, body in
        let digests = try JSONDecoder().decode([String].self, from: body)
        return try JSONEncoder().encode(try await centre.received(digests))
      }
    }
    router.put("samples/:digest") { request, context in
      await answer(request, longest: HistoryStore.longestPart) { centre, part in
        let size = try Self.number("size", of: request, in: 0...Self.longestSamples)
        let offset = try Self.number("offset", of: request, in: 0...size)
        try Self.require(part.count, in: 0...size - offset, "length of the part")
        try await centre.upload(part, at: offset, of: try Self.digest(context), size: size)
        return Data()
      }
    }
    router.get("samples/:digest") { request, context in
      await answer(request) { centre, _ in
        try await centre.download(
          try Self.digest(context),
          from: try Self.number("offset", of: request, in: 0...Self.longestSamples),
          limit: try Self.number("limit", of: request, in: 1...HistoryStore.longestPart))
      }
    }
    return router
  }

  // MARK: - Requests

  private func answer(
    _ request: Request, longest: Int = SyncServer.longestMessage,
    _ body: (any SyncTransport, Data) async throws -> Data
  ) async -> Response {
    do {
      guard let header = request.headers[.authorization], header.hasPrefix("Bearer "),
        let centre = people[Self.digest(ofToken: String(header.dropFirst(7)))]
      else {
        return Self.response(.unauthorized, .refused(reason: "it does not know this token"))
      }
      let message = try await request.body.collect(upTo: longest)
      let answer = try await body(centre, Data(message.readableBytesView))
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer)))
    } catch let error as SyncError {
      return Self.response(Self.status(error), error)
    } catch is NIOTooManyBytesError {
      return Self.response(
        .contentTooLarge, .refused(reason: "a message must not be longer than \(longest) bytes"))
    } catch is DecodingError {
      return Self.response(.badRequest, .refused(reason: "a message cannot be read"))
    } catch {
      // What went wrong here is nobody's business there.
      return Self.response(.serviceUnavailable, .unreachable(reason: "the server failed"))
    }
  }

  private static func status(_ error: SyncError) -> HTTPResponse.Status {
    switch error {
    case .unreachable: .serviceUnavailable
    case .refused: .forbidden
    case .otherVersion: .conflict
    case .damagedSamples: .unprocessableContent
    case .badAddress: .badRequest
    }
  }

  private static func response(_ status: HTTPResponse.Status, _ error: SyncError) -> Response {
    let body = (try? JSONEncoder().encode(error)) ?? Data()
    return Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  private static func require(_ number: Int, in range: ClosedRange<Int>, _ name: String) throws {
    guard range.contains(number) else {
      throw SyncError.refused(
        reason: "\(name) must be \(range.lowerBound) to \(range.upperBound), and is \(number)")
    }
  }

  private static func number(
    _ name: String, of request: Request, in range: ClosedRange<Int>
  ) throws -> Int {
    guard let number = request.uri.queryParameters.get(name, as: Int.self) else {
      throw SyncError.refused(reason: "\(name) is missing, or is no number")
    }
    try require(number, in: range, name)
    return number
  }

  private static func digest(_ context: BasicRequestContext) throws -> String {
    guard let digest = context.parameters.get("digest"), digest.utf8.count == 64,
      digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw SyncError.refused(reason: "a digest is 64 hexadecimal digits") }
    return digest
  }
}
