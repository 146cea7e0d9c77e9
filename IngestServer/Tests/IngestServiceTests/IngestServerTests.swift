import Foundation
import Logging
import Testing

@testable import IngestService

#if JWT
  import JWTKit
#endif
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server on loopback, queried by URLSession.
@Suite struct IngestServerTests {
  private struct Client {
    let base: String

    func send(
      _ method: String, _ path: String, token: String? = "t-ada", body: String? = nil,
      _ headers: [String: String] = ["content-type": "application/json"]
    ) async throws -> (status: Int, headers: [AnyHashable: Any], body: String) {
      var request = URLRequest(url: try #require(URL(string: base + path)))
      request.httpMethod = method
      request.httpBody = body.map { Data($0.utf8) }
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "authorization") }
      let (data, response) = try await URLSession.shared.data(for: request)
      let answer = try #require(response as? HTTPURLResponse)
      return (answer.statusCode, answer.allHeaderFields, String(decoding: data, as: UTF8.self))
    }
  }

  /// Runs `body` with a server that knows ada and bea by tokens.
  private func withServer(
    jwt rules: Authenticator.JWTRules? = nil, _ body: (Client) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "ingest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let tokens = folder.appendingPathComponent("tokens.txt")
    try "t-ada ada\n# nobody\nt-bea bea\n".write(to: tokens, atomically: true, encoding: .utf8)
    var settings = IngestConfiguration(folder: folder.appendingPathComponent("data").path)
    settings.port = 0
    settings.shards = 2
    let server = try await IngestServer(
      settings,
      authenticator: try await Authenticator(tokensPath: tokens.path, jwt: rules),
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let outcome = await Result { try await body(Client(base: "http://127.0.0.1:\(server.port)")) }
    try await server.shutDown(within: 5)
    try outcome.get()
  }

  private func samples(_ count: Int) -> String {
    let rows = (0..<count).map { row in
      let angle = Double(row) * 2 * Double.pi / 125
      return #"{"timestamp":\#(1000 + Double(row) / 50),"rotationX":\#(2 * sin(angle))}"#
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  @Test func storesAChunkFileForItsPersonOnly() async throws {
    try await withServer { client in
      let ids = [
        "content-type": "application/json", "x-session-id": "s", "x-set-id": "one",
        "x-chunk-id": "c",
      ]
      for token in ["t-ada", "t-ada"] {
        let sent = try await client.send(
          "POST", "/v1/chunks", token: token, body: samples(500), ids)
        #expect(sent.status == 200)
        #expect(sent.body.contains(#""event":"ack","line":1,"chunkId":"c""#))
      }
      let other = try await client.send("POST", "/v1/chunks", token: "t-bea", body: samples(9), ids)
      #expect(other.status == 422)
      #expect(other.body.contains("ambiguousSession"))
      let end = try await client.send(
        "POST", "/v1/messages",
        body: #"{"type":"endSet","sessionId":"s","setId":"one","timestamp":1.7e9}"#)
      #expect(end.status == 200)
      let sets = try await client.send("GET", "/v1/sets")
      #expect(sets.body.contains(#""key":"s/one""#))
      #expect(sets.body.contains(#""samples":500"#))
      #expect(try await client.send("GET", "/v1/sets", token: "t-bea").body == "[]\n")
      let csv = try await client.send("GET", "/v1/sets/s%2Fone/samples")
      #expect(csv.body.split(separator: "\n").count == 501)
      #expect(try await client.send("GET", "/v1/sets/s%2Fone", token: "t-bea").status == 404)
      #expect(try await client.send("GET", "/v1/sets", token: nil).status == 401)
      #expect(try await client.send("GET", "/v1/live").status == 426)
    }
  }

  #if JWT
    private struct Payload: JWTPayload {
      var sub: String
      var exp: ExpirationClaim
      var iss: String?
      var aud: String?

      func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    @Test func usesTheSubjectOfASignedToken() async throws {
      let key = ES256PrivateKey()
      let parameters = try #require(key.parameters)
      let set = """
        {"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","kid":"k","x":"\(url(parameters.x))",\
        "y":"\(url(parameters.y))"}]}
        """
      let rules = Authenticator.JWTRules(keysJSON: set, issuer: "us", audience: "ingest")
      let signer = await JWTKeyCollection().add(ecdsa: key, kid: "k")
      let stranger = await JWTKeyCollection().add(ecdsa: ES256PrivateKey(), kid: "k")
      let later = ExpirationClaim(value: .now + 60)
      let right = Payload(sub: "cleo", exp: later, iss: "us", aud: "ingest")
      var wrong = (expired: right, issuer: right, audience: right)
      wrong.expired.exp = ExpirationClaim(value: .now - 60)
      wrong.issuer.iss = "them"
      wrong.audience.aud = nil
      try await withServer(jwt: rules) { client in
        let good = try await signer.sign(right, kid: "k")
        #expect(try await client.send("GET", "/v1/sets", token: good).status == 200)
        for payload in [wrong.expired, wrong.issuer, wrong.audience] {
          let token = try await signer.sign(payload, kid: "k")
          #expect(try await client.send("GET", "/v1/sets", token: token).status == 401)
        }
        let forged = try await stranger.sign(right, kid: "k")
        #expect(try await client.send("GET", "/v1/sets", token: forged).status == 401)
        #expect(try await client.send("GET", "/v1/sets").status == 200)
      }
    }

    private func url(_ base64: String) -> String {
      base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
  #endif

  @Test func describesEveryRoute() async throws {
    try await withServer { client in
      let text = try await client.send("GET", "/v1/openapi.json", token: nil).body
      let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let paths = try #require(document?["paths"] as? [String: [String: Any]])
      let described = Set(
        paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
      #expect(described == Set(Route.all.map { "\($0.method) \($0.path)" }))
      // Each route that needs a person declares it.
      for (path, methods) in paths {
        for (_, operation) in methods {
          let security = (operation as? [String: Any])?["security"] as? [Any]
          let route = Route.all.first { $0.path == path }?.make("k")
          #expect(route?.needsPerson == (security == nil))
        }
      }
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
