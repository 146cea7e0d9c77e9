import ChunkStream

/// The settings of a server.
public struct IngestConfiguration: Sendable {
  public var host = "127.0.0.1"
  public var port = 8080
  /// The folder of the stores, one for each shard.
  public var folder: String
  public var shards = 1
  /// PEM files; nil for plain HTTP, as behind a proxy.
  public var certificatePath: String?
  public var keyPath: String?
  public var limits = Limits()
  /// Detection threads per shard.
  public var workers = 2
  /// True to store samples bit for bit.
  public var isLossless = true
  public var acceptsDamage = false
  /// Number of events that each shard keeps for late readers.
  public var retainedEvents = 100_000

  public struct Limits: Sendable {
    /// Maximum length of a body as sent, in bytes.
    public var bodyBytes = 16 << 20
    /// Maximum length of a decompressed body, in bytes.
    public var inflatedBytes = 64 << 20
    /// Maximum length of a message within a body, in bytes.
    public var messageBytes = 4 << 20
    /// Maximum size of all bodies in memory, in bytes. Further requests are answered with 503.
    public var bodyBytesInMemory = 256 << 20
    public var connections = 10_000
    /// Maximum number of live connections of one person.
    public var liveConnectionsPerPerson = 16
    /// Time without a request after which a connection is closed, including incomplete heads.
    public var idleSeconds = 75
    /// Time for a request's body, and again for sending the response.
    public var requestSeconds = 60
    /// Rate limit per person: the size of a burst, and the sustained rate per second.
    public var burst = 200.0
    public var requestsPerSecond = 50.0
    /// Maximum size of unsent events of a slow live connection, in bytes. Beyond it the connection is closed.
    public var liveBytes = 4 << 20

    public init() {}
  }

  /// The version of the library.
  public static var libraryVersion: String { ChunkStream.version }

  public init(folder: String) { self.folder = folder }
}
