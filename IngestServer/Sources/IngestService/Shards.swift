import ChunkStream
import Foundation
import Synchronization

/// The stores of a server. Each person's data is in one of them.
final class Shards: Sendable {
  struct FolderError: Error, CustomStringConvertible {
    var description: String
  }

  private let streams: [ChunkStream]
  private let claims: SessionClaims

  /// - Parameter onEnd: Called with the error that ended a shard.
  /// - Throws: ``FolderError`` if the folder contains a different number of shards; `HistoryError`.
  init(
    _ configuration: IngestConfiguration, hub: LiveHub,
    onEnd: @escaping @Sendable (any Error) -> Void
  ) throws {
    let folder = URL(fileURLWithPath: configuration.folder)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let stored = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix("shard-") && $0.hasSuffix(".sqlite")
    }.count
    guard stored == 0 || stored == configuration.shards else {
      throw FolderError(
        description: "\(folder.path) holds \(stored) shards, not \(configuration.shards)")
    }
    let claims = SessionClaims()
    self.claims = claims
    var options = ChunkStream.Options()
    options.workers = configuration.workers
    options.isLossless = configuration.isLossless
    options.acceptsDamage = configuration.acceptsDamage
    options.messageBytes = configuration.limits.messageBytes
    options.retainedEvents = configuration.retainedEvents
    streams = try (0..<configuration.shards).map { index in
      var options = options
      if configuration.shards > 1 {
        options.claimsSession = { claims.claim($0, for: $1, in: index) }
      }
      return try ChunkStream(
        path: folder.appendingPathComponent("shard-\(index).sqlite").path, options: options,
        onEvents: { hub.publish($0) }, onEnd: { if let error = $0 { onEnd(error) } })
    }
    claims.streams.withLock { $0 = streams }
  }

  /// Returns the shard of a person, by FNV-1a, which is stable across runs.
  func stream(of person: String) -> ChunkStream {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in person.uppercased().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return streams[Int(hash % UInt64(streams.count))]
  }

  func close() async throws {
    var failure: (any Error)?
    for stream in streams {
      do { try await stream.close() } catch { failure = error }
    }
    claims.streams.withLock { $0 = [] }
    if let failure { throw failure }
  }

  /// Returns the metrics of each shard.
  func metrics() -> [String] { streams.map { $0.metrics() } }
}

/// Sessions claimed since the start, which the stores may not contain yet.
private final class SessionClaims: Sendable {
  private struct Claims {
    var newest: [String: String] = [:]
    /// Claims of the previous generation, which are durable in their stores.
    var older: [String: String] = [:]
  }

  let streams = Mutex<[ChunkStream]>([])
  private let claims = Mutex(Claims())
  private static let generationSize = 100_000

  func claim(_ session: String, for person: String, in shard: Int) -> Bool {
    let streams = streams.withLock { $0 }
    let person = person.uppercased()
    return claims.withLock { claims in
      if let owner = claims.newest[session] ?? claims.older[session] { return owner == person }
      for (index, stream) in streams.enumerated() where index != shard {
        if stream.owner(ofSession: session) != nil { return false }
      }
      if claims.newest.count >= Self.generationSize {
        claims.older = claims.newest
        claims.newest = [:]
      }
      claims.newest[session] = person
      return true
    }
  }
}
