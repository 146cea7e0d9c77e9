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
  /// Threads that detect, for each shard.
  public var workers = 2
  /// True to store samples bit for bit.
  public var isLossless = true
  /// Events that each shard keeps for readers that come later.
  public var retainedEvents = 100_000

  public struct Limits: Sendable {
    /// The longest body, as sent.
    public var bodyBytes = 16 << 20
    /// The longest body, decompressed.
    public var inflatedBytes = 64 << 20
    /// The longest message within a body.
    public var messageBytes = 4 << 20
    /// Bodies in memory at once, of all connections. Beyond it requests are answered with 503.
    public var bodyBytesInMemory = 256 << 20
    public var connections = 10_000
    /// Live connections of one person.
    public var liveConnectionsPerPerson = 16
    /// Time without a request after which a connection is closed, also while the head of a request comes.
    public var idleSeconds = 75
    /// Time for a request's body, and again for the response to be read.
    public var requestSeconds = 60
    /// Requests of one person: so many at once, and so many a second in the long run.
    public var burst = 200.0
    public var requestsPerSecond = 50.0
    /// Bytes of events that wait for a slow live connection, which is closed beyond it.
    public var liveBytes = 4 << 20

    public init() {}
  }

  /// The version of the library that the server is built with.
  public static var libraryVersion: String { ChunkStream.version }

  public init(folder: String) { self.folder = folder }
}
