import ChunkStream
import Foundation
import Synchronization

#if JWT
  import JWTKit
#endif

/// Maps bearer tokens to people, using a file of tokens or by verifying JSON Web Tokens.
public final class Authenticator: Sendable {
  public struct TokenFileError: Error, CustomStringConvertible {
    public var description: String
  }

  /// The keys that sign JSON Web Tokens, and the required claims.
  public struct JWTRules: Sendable {
    public var keysJSON: String
    public var issuer: String?
    public var audience: String?

    public init(keysJSON: String, issuer: String? = nil, audience: String? = nil) {
      self.keysJSON = keysJSON
      self.issuer = issuer
      self.audience = audience
    }
  }

  private let tokensPath: String?
  /// People by the SHA-256 of their tokens.
  private let people = Mutex<[[UInt8]: String]>([:])
  private let verifier: JWTVerifier?

  /// - Throws: ``TokenFileError``, or an error of JWTKit for invalid keys.
  public init(tokensPath: String?, jwt rules: JWTRules? = nil) async throws {
    self.tokensPath = tokensPath
    verifier = if let rules { try await JWTVerifier(rules) } else { nil }
    try reload()
  }

  /// Reads the file of tokens again. If it is damaged, keeps the current tokens.
  ///
  /// - Throws: ``TokenFileError``.
  public func reload() throws {
    guard let tokensPath else { return }
    guard let text = try? String(contentsOfFile: tokensPath, encoding: .utf8) else {
      throw TokenFileError(description: "\(tokensPath): cannot be read")
    }
    var read: [[UInt8]: String] = [:]
    var spellings: [String: String] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard let token = fields.first, !token.hasPrefix("#") else { continue }
      func failure(_ reason: String) -> TokenFileError {
        TokenFileError(description: "\(tokensPath), line \(index + 1): \(reason)")
      }
      guard fields.count == 2 else { throw failure("TOKEN PERSON was expected") }
      let person = String(fields[1])
      guard person.utf8.count <= 100 else { throw failure("a name has at most 100 bytes") }
      // The history ignores case in names.
      guard spellings.updateValue(person, forKey: person.uppercased()) ?? person == person else {
        throw failure("another person's name differs from \(person) only in case")
      }
      let prefix = "sha256:"
      if token.hasPrefix(prefix) {
        guard let digest = Self.bytes(hexadecimal: token.dropFirst(prefix.count)) else {
          throw failure("sha256: takes 64 hexadecimal digits")
        }
        read[digest] = person
      } else {
        read[Self.digest(token)] = person
      }
    }
    people.withLock { $0 = read }
  }

  /// Returns the person of an `Authorization` header; nil if it is invalid.
  public func person(authorization: String?) async -> String? {
    guard let token = Self.token(authorization) else { return nil }
    if let person = person(token: token) { return person }
    guard let verifier, token.contains(".") else { return nil }
    return await verifier.subject(of: String(token)).flatMap(Self.name(ofSubject:))
  }

  /// Returns the person of a token in the file; nil if there is none.
  func knownPerson(authorization: String?) -> String? {
    Self.token(authorization).flatMap { person(token: $0) }
  }

  private func person(token: Substring) -> String? {
    people.withLock { $0[Self.digest(token)] }
  }

  private static func token(_ authorization: String?) -> Substring? {
    guard let authorization, authorization.utf8.count <= 8192 else { return nil }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return parts[1]
  }

  private static func digest(_ token: Substring) -> [UInt8] {
    ChunkStream.sha256(Array(token.utf8))
  }

  /// Returns the name of a JWT's subject in the history, which ignores case in names.
  static func name(ofSubject subject: String) -> String? {
    guard !subject.isEmpty else { return nil }
    let isPlain =
      subject.utf8.count <= 100
      && subject.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "-_.@|:".utf8.contains($0)
      }
    if isPlain, !subject.hasPrefix("sub-") { return subject }
    let digits = ChunkStream.sha256(Array(subject.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "sub-" + digits.joined()
  }

  private static func bytes(hexadecimal digits: Substring) -> [UInt8]? {
    let digits = Array(digits.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

#if JWT
  /// Verifies signatures and claims.
  private struct JWTVerifier: Sendable {
    private struct Claims: JWTPayload {
      var sub: SubjectClaim
      var exp: ExpirationClaim
      var nbf: NotBeforeClaim?
      var iss: IssuerClaim?
      var aud: AudienceClaim?

      func verify(using algorithm: some JWTAlgorithm) throws {
        try exp.verifyNotExpired()
        try nbf?.verifyNotBefore()
      }
    }

    private let keys: JWTKeyCollection
    private let rules: Authenticator.JWTRules

    init(_ rules: Authenticator.JWTRules) async throws {
      self.rules = rules
      keys = try await JWTKeyCollection().add(jwksJSON: rules.keysJSON)
    }

    func subject(of token: String) async -> String? {
      guard let claims = try? await keys.verify(token, as: Claims.self) else { return nil }
      if let issuer = rules.issuer, claims.iss?.value != issuer { return nil }
      if let audience = rules.audience, claims.aud?.value.contains(audience) != true { return nil }
      return claims.sub.value
    }
  }
#else
  private struct JWTVerifier: Sendable {
    init(_ rules: Authenticator.JWTRules) async throws {
      throw Authenticator.TokenFileError(description: "built without the trait JWT")
    }

    func subject(of token: String) async -> String? { nil }
  }
#endif
