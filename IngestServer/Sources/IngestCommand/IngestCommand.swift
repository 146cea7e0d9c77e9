import ArgumentParser
import Foundation
import IngestService
import Logging

@main
struct IngestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reptrace-ingest",
    abstract: "Receives chunks over HTTP, and tells events over WebSocket.",
    discussion: """
      Needs --tokens, --jwks, or both. SIGTERM and SIGINT drain the server, SIGHUP reads the tokens \
      again. docs/ingest.md has more.

      Example:
        reptrace-ingest --data /var/lib/reptrace-ingest --tokens tokens.txt --listen 127.0.0.1:8080
      """, version: IngestConfiguration.libraryVersion)

  @Option(help: ArgumentHelp("The folder of the stores.", valueName: "folder"))
  var data: String

  @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "host:port"))
  var listen = "127.0.0.1:8080"

  @Option(help: ArgumentHelp("Stores; it cannot be changed later.", valueName: "count"))
  var shards = 1

  @Option(help: ArgumentHelp("Threads that detect, for each shard.", valueName: "count"))
  var workers = min(8, max(1, ProcessInfo.processInfo.activeProcessorCount))

  @Option(help: ArgumentHelp("Lines of TOKEN PERSON, or sha256:DIGEST PERSON.", valueName: "file"))
  var tokens: String?

  @Option(help: ArgumentHelp("A JSON Web Key Set that verifies tokens.", valueName: "file"))
  var jwks: String?

  @Option(help: ArgumentHelp("The issuer that JWTs must name.", valueName: "text"))
  var jwtIssuer: String?

  @Option(help: ArgumentHelp("The audience that JWTs must name.", valueName: "text"))
  var jwtAudience: String?

  @Option(help: ArgumentHelp("A PEM certificate chain, for TLS.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("Its PEM key.", valueName: "file"))
  var key: String?

  @Option(help: ArgumentHelp("The longest body, as sent.", valueName: "bytes"))
  var bodyLimit = IngestConfiguration.Limits().bodyBytes

  @Option(help: ArgumentHelp("Requests of one person a second.", valueName: "count"))
  var rate = IngestConfiguration.Limits().requestsPerSecond

  @Option(help: ArgumentHelp("Requests of one person at once.", valueName: "count"))
  var burst = IngestConfiguration.Limits().burst

  @Option(help: ArgumentHelp("Time for the body of a request.", valueName: "seconds"))
  var requestSeconds = IngestConfiguration.Limits().requestSeconds

  @Option(help: ArgumentHelp("Time between requests of a connection.", valueName: "seconds"))
  var idleSeconds = IngestConfiguration.Limits().idleSeconds

  @Option(help: ArgumentHelp("Open connections.", valueName: "count"))
  var connections = IngestConfiguration.Limits().connections

  @Option(help: ArgumentHelp("Time for finishing after SIGTERM.", valueName: "seconds"))
  var drainSeconds = 20.0

  @Flag(help: "Store samples within 1e-4 g, rad/s and rad instead of bit for bit.")
  var bounded = false

  @Flag(help: "Go on with stores in which damage is found at the start, instead of refusing them.")
  var acceptDamage = false

  @Option(
    help: "The log on standard error, as lines of JSON: error, warning, info (each request).",
    transform: { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw ValidationError("'\(text)' is not a level")
      }
      return level
    })
  var logLevel: Logger.Level = .warning

  func validate() throws {
    guard tokens != nil || jwks != nil else {
      throw ValidationError("--tokens or --jwks is needed")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key belong together")
    }
    guard address != nil else { throw ValidationError("--listen is HOST:PORT") }
    guard (1...64).contains(shards) else { throw ValidationError("--shards is from 1 to 64") }
    guard (1...256).contains(workers) else { throw ValidationError("--workers is from 1 to 256") }
    guard (1024...(1 << 30)).contains(bodyLimit) else {
      throw ValidationError("--body-limit is from 1024 to \(1 << 30)")
    }
    guard rate > 0, burst >= 1, requestSeconds > 0, idleSeconds > 0, connections > 0 else {
      throw ValidationError("limits are more than 0")
    }
    guard drainSeconds.isFinite, drainSeconds >= 0 else {
      throw ValidationError("--drain-seconds is a number of seconds")
    }
  }

  private var address: (host: String, port: Int)? {
    guard let colon = listen.lastIndex(of: ":"),
      let port = Int(listen[listen.index(after: colon)...]), (0...65_535).contains(port)
    else { return nil }
    let host = listen[..<colon].trimmingCharacters(in: ["[", "]"])
    return host.isEmpty ? nil : (host, port)
  }

  /// Exit codes if a store cannot be opened or written, equal to those of `reptrace stream`.
  private static let (cannotOpen, cannotWrite) = (ExitCode(73), ExitCode(74))

  func run() async throws {
    let log = Logger(label: "reptrace.ingest") { [logLevel] _ in JSONLog(level: logLevel) }
    var settings = IngestConfiguration(folder: data)
    if let address { (settings.host, settings.port) = address }
    (settings.shards, settings.workers, settings.isLossless) = (shards, workers, !bounded)
    settings.acceptsDamage = acceptDamage
    (settings.certificatePath, settings.keyPath) = (certificate, key)
    settings.limits.bodyBytes = bodyLimit
    (settings.limits.requestsPerSecond, settings.limits.burst) = (rate, burst)
    (settings.limits.requestSeconds, settings.limits.idleSeconds) = (requestSeconds, idleSeconds)
    settings.limits.connections = connections
    let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
    let sources = Signal.sources { continuation.yield($0) }
    defer { for source in sources { source.cancel() } }
    let (authenticator, server): (Authenticator, IngestServer)
    do {
      let rules = try jwks.map { path in
        Authenticator.JWTRules(
          keysJSON: try String(contentsOfFile: path, encoding: .utf8), issuer: jwtIssuer,
          audience: jwtAudience)
      }
      authenticator = try await Authenticator(tokensPath: tokens, jwt: rules)
      server = try await IngestServer(settings, authenticator: authenticator, log: log) { _ in
        continuation.yield(.storeFailed)
      }
    } catch {
      Self.note("\(error)")
      throw Self.cannotOpen
    }
    // Scripts that use a free port read it here.
    Self.note("listening on port \(server.port)")
    for await signal in signals {
      switch signal {
      case .reload:
        do { try authenticator.reload() } catch { log.error("\(error)") }
      case .end, .storeFailed:
        do {
          try await server.shutDown(within: drainSeconds)
        } catch {
          Self.note("\(error)")
          throw Self.cannotWrite
        }
        return
      }
    }
  }

  private static func note(_ text: String) {
    FileHandle.standardError.write(Data("reptrace-ingest: \(text)\n".utf8))
  }
}

private enum Signal: Sendable {
  case end, reload, storeFailed

  static func sources(_ body: @escaping @Sendable (Signal) -> Void) -> [any DispatchSourceSignal] {
    signal(SIGPIPE, SIG_IGN)
    return [(SIGTERM, Signal.end), (SIGINT, .end), (SIGHUP, .reload)].map { number, meaning in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { body(meaning) }
      source.resume()
      return source
    }
  }
}
