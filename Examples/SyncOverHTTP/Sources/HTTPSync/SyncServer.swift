import Foundation
import HistorySync
import Hummingbird
import NIOCore
import WorkoutHistory

/// The HTTP interface of a center: identifies people by their tokens, and forwards their messages.
///
/// | request | body | answer |
/// |---|---|---|
/// | `POST /pull` | `PullRequest` | `PullResponse` |
/// | `POST /push` | `PushRequest` | `PushResponse` |
/// | `POST /received` | digests | bytes by digest |
/// | `POST /upload` | `[SampleMessage.Head]`, bytes | nothing |
/// | `POST /download` | `[SampleRange]` | counts, bytes |
///
/// Messages are JSON, or a ``SampleMessage`` if they have samples. An error is a ``SyncError`` as JSON with a
/// matching status. The token alone determines whose rows are read and written; messages name no person. The
/// server does not speak TLS; put a proxy in front of it.
public struct SyncServer: Sendable {
  /// Maximum length of a message, in bytes.
  public static let longestMessage = 16 << 20
  /// Maximum number of objects in a response.
  static let longestPage = 10_000
  /// Maximum length of the samples of one digest, in bytes.
  static let longestSamples = 256 << 20

  private let people: [String: any SyncTransport]

  /// - Parameter people: Each person's center, by the digest of their token (``digest(ofToken:)``), so that
  ///   the server's files reveal no token.
  public init(people: [String: any SyncTransport]) { self.people = people }

  /// Returns the SHA-256 of a token, in hexadecimal digits.
  public static func digest(ofToken token: String) -> String {
    SyncExchange.digest(of: Data(token.utf8))
  }

  public var router: Router<BasicRequestContext> {
    let router = Router()
    router.post("pull") { request, _ in
      await answer(request) { center, body in
        let pull = try JSONDecoder().decode(PullRequest.self, from: body)
        try Self.require(pull.limit, in: 1...Self.longestPage, "limit")
        return try JSONEncoder().encode(try await center.pull(pull))
      }
    }
    router.post("push") { request, _ in
      await answer(request) { center, body in
        let push = try JSONDecoder().decode(PushRequest.self, from: body)
        return try JSONEncoder().encode(try await center.push(push))
      }
    }
    router.post("received") { request, _ in
      await answer(request) { center, body in
        let digests = try JSONDecoder().decode([String].self, from: body)
        return try JSONEncoder().encode(try await center.received(digests))
      }
    }
    router.post("upload") { request, _ in
      await answer(request) { center, body in
        let (heads, bytes) = try SampleMessage.decode([SampleMessage.Head].self, from: body)
        for head in heads {
          try Self.require(head.size, in: 0...Self.longestSamples, "size")
          try Self.require(head.offset, in: 0...head.size, "offset")
          try Self.require(head.count, in: 0...head.size - head.offset, "length of the part")
          try Self.require(digest: head.digest)
        }
        let parts = zip(heads, try SampleMessage.split(bytes, heads.map(\.count))).map {
          SamplePart(digest: $0.digest, size: $0.size, offset: $0.offset, bytes: $1)
        }
        try await center.upload(parts)
        return Data()
      }
    }
    router.post("download") { request, _ in
      await answer(request) { center, body in
        let ranges = try JSONDecoder().decode([SampleRange].self, from: body)
        var room = SyncExchange.longestPart
        for range in ranges {
          try Self.require(range.offset, in: 0...Self.longestSamples, "offset")
          try Self.require(range.count, in: 0...room, "length of all parts")
          try Self.require(digest: range.digest)
          room -= range.count
        }
        let parts = try await center.download(ranges)
        return try SampleMessage.encode(parts.map(\.count), parts)
      }
    }
    return router
  }

  // MARK: - Requests

  private func answer(
    _ request: Request, _ body: (any SyncTransport, Data) async throws -> Data
  ) async -> Response {
    do {
      guard let header = request.headers[.authorization], header.hasPrefix("Bearer "),
        let center = people[Self.digest(ofToken: String(header.dropFirst(7)))]
      else {
        return Self.response(.unauthorized, .refused(reason: "it does not know this token"))
      }
      let message = try await request.body.collect(upTo: Self.longestMessage)
      let answer = try await body(center, Data(message.readableBytesView))
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer)))
    } catch let error as SyncError {
      return Self.response(Self.status(error), error)
    } catch is NIOTooManyBytesError {
      return Self.response(
        .contentTooLarge,
        .refused(reason: "a message must not be longer than \(Self.longestMessage) bytes"))
    } catch is DecodingError {
      return Self.response(.badRequest, .refused(reason: "a message cannot be read"))
    } catch {
      // Clients learn no details of internal errors.
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

  private static func require(digest: String) throws {
    guard digest.utf8.count == 64,
      digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw SyncError.refused(reason: "a digest is 64 hexadecimal digits") }
  }
}
