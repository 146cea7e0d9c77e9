import ChunkStream
import Foundation
import NIOHTTP1
import Testing

@testable import IngestService

@Suite struct RequestTests {
  private func messages(
    _ body: String, _ headers: HTTPHeaders
  ) throws -> [ChunkStream.Message] {
    try RequestBody(limits: .init(), person: "ada").messages(Array(body.utf8), headers)
  }

  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func pairsFilesWithTheirSidecars() throws {
    func part(_ name: String, _ content: String) -> String {
      "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\(name)\"\r\n\r\n\(content)\r\n"
    }
    let body =
      part("2.json", "[2]") + part("1.metadata.json", "{1}") + part("1.json", "[1]")
      + part("2.metadata.json", "{2}") + "--b--\r\n"
    let type: HTTPHeaders = ["content-type": "multipart/form-data; boundary=\"b\""]
    let found = try messages(body, type)
    #expect(found.map { text($0.sidecar) } == ["{2}", "{1}"])
    guard case .json(let second) = found[1].content else {
      Issue.record("no JSON")
      return
    }
    #expect(text(second) == "[1]")
    for damaged in ["", "--b", String(body.dropLast(6)), "--c--"] {
      #expect(throws: RequestBody.Failure.self) { try messages(damaged, type) }
    }
  }

  @Test func escapesIdsFromHeaders() throws {
    let found = try messages(
      "[]", ["content-type": "application/json; charset=utf-8", "x-session-id": "a\",\"b"])
    #expect(text(found.first?.sidecar) == #"{"sessionId":"a\",\"b"}"#)
  }

  @Test func readsRoutes() throws {
    func route(_ uri: String, _ method: HTTPMethod = .GET) throws -> Route {
      try Route(HTTPRequestHead(version: .http1_1, method: method, uri: uri))
    }
    #expect(try route("/v1/sets/a%2Fb%20c/samples?x=1") == .samples("a/b c"))
    #expect(try route("/v1/sets?limit=2") == .sets)
    for uri in ["/v1/sets/", "/v1", "/", "", "*", "/v1/sets/a/b", "//v1/sets", "/v1/sets/%FF"] {
      #expect(throws: Route.Failure.self) { try route(uri) }
    }
    #expect(throws: Route.Failure.self) { try route("/v1/chunks") }
  }

  @Test func limitsRates() {
    let limiter = RateLimiter(burst: 2, perSecond: 1)
    let now = ContinuousClock.now
    #expect(limiter.take("ada", now: now) == nil)
    #expect(limiter.take("ada", now: now) == nil)
    #expect(limiter.take("ada", now: now) == 1)
    #expect(limiter.take("bea", now: now) == nil)
    #expect(limiter.take("ada", now: now + .seconds(1)) == nil)
  }

  @Test func mergesTheMetricsOfShards() {
    let text = "# HELP a A.\n# TYPE a counter\na_total 1\na_total{x=\"y\"} 2\n"
    #expect(
      IngestMetrics.merge([text, text]) == """
        # HELP a A.
        # TYPE a counter
        a_total{shard="0"} 1
        a_total{x="y",shard="0"} 2
        a_total{shard="1"} 1
        a_total{x="y",shard="1"} 2

        """)
  }

  @Test func subjectsThatDifferInCaseAreDifferentPeople() async throws {
    #expect(Authenticator.name(ofSubject: "ada@example.org") == "ada@example.org")
    let names = ["Ada", "ADA", "ada", "sub-ada", "a b", "ä"].map(Authenticator.name(ofSubject:))
    #expect(Set(names.map { $0?.uppercased() }).count == names.count)
    #expect(Authenticator.name(ofSubject: "") == nil)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: path) }
    for damaged in ["a ada\nb Ada\n", "alone\n", "sha256:12 ada\n", "a b c\n"] {
      try damaged.write(to: path, atomically: true, encoding: .utf8)
      await #expect(throws: Authenticator.TokenFileError.self) {
        try await Authenticator(tokensPath: path.path)
      }
    }
  }
}
