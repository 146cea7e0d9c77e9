import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

#if TLS
  import NIOSSL
#endif

/// An HTTP and WebSocket server in front of the stream.
public final class IngestServer: Sendable {
  private let group: MultiThreadedEventLoopGroup
  private let readers: NIOThreadPool
  private let shards: Shards
  private let connections: Connections
  private let channel: any Channel
  private let readiness: Readiness
  private let log: Logger

  /// The listening port.
  public let port: Int

  /// Opens the stores and starts listening.
  ///
  /// - Parameter onFailure: Called when a store can no longer be written. The server then stops
  ///   acknowledging.
  /// - Throws: `HistoryError`, or an error of the system or of TLS.
  public init(
    _ configuration: IngestConfiguration, authenticator: Authenticator, log: Logger,
    onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) async throws {
    self.log = log
    let hub = LiveHub()
    let metrics = IngestMetrics()
    let readiness = Readiness()
    self.readiness = readiness
    let tls = try TLS(configuration)
    shards = try Shards(configuration, hub: hub) { error in
      readiness.isReady.store(false, ordering: .relaxed)
      log.error("store failed", metadata: ["reason": .string("\(error)")])
      onFailure(error)
    }
    group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
    readers = NIOThreadPool(numberOfThreads: 2 * System.coreCount)
    readers.start()
    let service = IngestService(
      configuration: configuration, authenticator: authenticator, shards: shards, hub: hub,
      metrics: metrics, readers: readers,
      isReady: { readiness.isReady.load(ordering: .relaxed) })
    let budget = BodyBudget(limit: configuration.limits.bodyBytesInMemory)
    let connections = Connections()
    self.connections = connections
    do {
      channel = try await ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 1024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelOption(.maxMessagesPerRead, value: 4)
        .childChannelInitializer { [readers] channel in
          guard metrics.openConnection(limit: configuration.limits.connections) else {
            return channel.close()
          }
          connections.add(channel)
          channel.closeFuture.whenComplete { _ in
            connections.remove(channel)
            metrics.closeConnection()
          }
          return channel.eventLoop.makeCompletedFuture {
            try tls?.addHandler(to: channel)
          }.flatMap {
            Self.configure(channel, service, budget, readers, log)
          }
        }.bind(host: configuration.host, port: configuration.port).get()
    } catch {
      try? await shards.close()
      try? await group.shutdownGracefully()
      try? await readers.shutdownGracefully()
      throw error
    }
    port = channel.localAddress?.port ?? configuration.port
    log.info(
      "start",
      metadata: [
        "port": .stringConvertible(port), "shards": .stringConvertible(configuration.shards),
      ])
  }

  private static func configure(
    _ channel: any Channel, _ service: IngestService, _ budget: BodyBudget,
    _ readers: NIOThreadPool, _ log: Logger
  ) -> EventLoopFuture<Void> {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, head in
        channel.eventLoop.makeFutureWithTask {
          await LiveRequest(head, service.authenticator) == nil ? nil : HTTPHeaders()
        }
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeFutureWithTask {
          await LiveRequest(head, service.authenticator)
        }.flatMap { request in
          guard let request else { return channel.close() }
          return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              LiveHandler(
                service: service, person: request.person, after: request.after, readers: readers))
          }
        }
      })
    return channel.eventLoop.makeCompletedFuture {
      let handler = HTTPHandler(service: service, budget: budget, log: log)
      let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
      try channel.pipeline.syncOperations.configureHTTPServerPipeline(
        withServerUpgrade: (
          upgraders: [upgrader],
          completionHandler: { context in
            context.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
          }
        ))
      try channel.pipeline.syncOperations.addHandler(handler)
    }
  }

  /// Stops accepting connections, answers pending requests, and closes the stores.
  ///
  /// - Parameter seconds: Time limit for the responses.
  public func shutDown(within seconds: Double) async throws {
    readiness.isReady.store(false, ordering: .relaxed)
    log.info("drain")
    try? await channel.close()
    await connections.drain(within: seconds)
    let outcome = await Result { try await shards.close() }
    try? await readers.shutdownGracefully()
    try? await group.shutdownGracefully()
    log.info("end")
    try outcome.get()
  }
}

/// A valid request for the live events of a person.
private struct LiveRequest: Sendable {
  var person: String
  var after: Int64?

  init?(_ head: HTTPRequestHead, _ authenticator: Authenticator) async {
    guard (try? Route(head)) == .live,
      let person = await authenticator.person(
        authorization: head.headers.first(name: "authorization"))
    else { return nil }
    self.person = person
    guard let text = head.query["after"] else { return }
    guard let number = Int64(text), number >= 0 else { return nil }
    after = number
  }
}

private final class Readiness: Sendable {
  let isReady = Atomic(true)
}

/// The open connections.
private final class Connections: Sendable {
  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

  func add(_ channel: any Channel) {
    channels.withLock { $0[ObjectIdentifier(channel)] = channel }
  }

  func remove(_ channel: any Channel) {
    channels.withLock { $0[ObjectIdentifier(channel)] = nil }
  }

  /// Closes connections as soon as they have no pending request, and the remaining ones after the time limit.
  func drain(within seconds: Double) async {
    for channel in channels.withLock({ Array($0.values) }) {
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end, !channels.withLock(\.isEmpty) {
      try? await Task.sleep(for: .milliseconds(20))
    }
    for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

#if TLS
  /// The server's TLS configuration.
  private struct TLS: Sendable {
    private let context: NIOSSLContext

    /// - Returns: Nil if no certificate is given.
    init?(_ configuration: IngestConfiguration) throws {
      guard let certificate = configuration.certificatePath, let key = configuration.keyPath else {
        return nil
      }
      var settings = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      settings.minimumTLSVersion = .tlsv12
      settings.applicationProtocols = ["http/1.1"]
      context = try NIOSSLContext(configuration: settings)
    }

    func addHandler(to channel: any Channel) throws {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
    }
  }
#else
  private struct TLS: Sendable {
    struct Missing: Error, CustomStringConvertible {
      var description: String { "built without the trait TLS" }
    }

    init?(_ configuration: IngestConfiguration) throws {
      if configuration.certificatePath != nil { throw Missing() }
      return nil
    }

    func addHandler(to channel: any Channel) throws {}
  }
#endif
